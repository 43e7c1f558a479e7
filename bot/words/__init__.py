"""Every sentence and card that people read, as plain values made from domain values."""
