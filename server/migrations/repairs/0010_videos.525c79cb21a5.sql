create index videos_files on videos using gin ((array[original_sha256]));
