"""How the treasury's pages are shown: reports and statements, the forecast, and exchange."""
