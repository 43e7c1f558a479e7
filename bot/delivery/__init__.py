"""The worker: carries planned parts to Discord and writes down what came back."""
