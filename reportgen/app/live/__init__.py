"""What a running training needs: noticing that files have changed, and showing it in a browser."""

PORT = 8377
"""Where a report is served if nobody says otherwise."""
