create index videos_originals on videos (original_sha256);
create index videos_files on videos using gin ((array[original_sha256]));
