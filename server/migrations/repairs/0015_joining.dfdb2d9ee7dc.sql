drop index photos_of_media;
