"""The program: how the promises are kept."""
