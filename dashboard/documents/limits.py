"""What a document may cost to be shown: beyond it a page says so in words, and nothing of ours ends."""

MOST_BYTES = 12 * 1024 * 1024
MOST_PAGES = 50
# Of these pages the text is read: totals stand on the first pages, or on the last one.
MOST_PAGES_READ = 12
MOST_PIECES_PER_PAGE = 4000
MOST_TEXT = 60_000
LONGEST_LINE = 400
MOST_XML = 2 * 1024 * 1024
MOST_ATTACHMENTS = 20

# A picture before it is made smaller: 60 megapixels are 180 MB of memory.
MOST_PICTURE_PIXELS = 60_000_000
# A page as it is shown: no page is drawn larger, however long and narrow it is.
MOST_PAGE_PIXELS = 6_000_000
LONGEST_SIDE = 6000
# Widths in which pages are drawn: in the row of thumbnails, in the pane, enlarged.
THUMBNAIL, READABLE, ENLARGED = 96, 900, 1800
WIDTHS = (THUMBNAIL, READABLE, ENLARGED)

# The program that opens documents: seconds on the clock and on the processor, bytes of memory.
SECONDS = 8.0
PROCESSOR_SECONDS = 6
MEMORY_BYTES = 1024 * 1024 * 1024
# So many of them at once in one process of ours, and so long does a request wait for its turn.
AT_ONCE = 2
TURN_S = 10.0

RECOGNITION_SECONDS = 12.0
