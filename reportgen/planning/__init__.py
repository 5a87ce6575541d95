"""The grid of a study against what is there: states, prices, jobs; pure."""
