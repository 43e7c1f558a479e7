"""What Steward costs, as ratios: each figure is measured beside what it is compared with."""
