"""What machines read: every catalogue, table, figure and page as files that say what they hold."""
