"""Investments: the portfolio, the catalogue, and the money that goes in and out of funds."""
