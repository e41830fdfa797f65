-- Written from the migrated database; `npm run schema` renews it, a stale one fails the tests.

table account_exports (
  id bigint not null identity,
  user_id bigint not null,
  state text not null default 'waiting'::text,
  media_id bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval)
)
  CREATE INDEX account_exports_expiring ON account_exports USING btree (expires_at)
  CREATE INDEX account_exports_of_user ON account_exports USING btree (user_id, id DESC)
  CREATE UNIQUE INDEX account_exports_pkey ON account_exports USING btree (id)
  CREATE UNIQUE INDEX account_exports_waiting ON account_exports USING btree (user_id) WHERE (state = 'waiting'::text)
  constraint account_exports_check CHECK (((state = 'ready'::text) = (media_id IS NOT NULL)))
  constraint account_exports_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id)
  constraint account_exports_pkey PRIMARY KEY (id)
  constraint account_exports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text])))
  constraint account_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table account_transfers (
  user_id bigint not null,
  device_row bigint,
  code_hash bytea not null,
  expires_at timestamp with time zone not null,
  taken_by text,
  kind text not null default 'device'::text,
  nonce bytea,
  event_id bigint,
  made_by bigint
)
  CREATE INDEX account_transfers_device ON account_transfers USING btree (device_row)
  CREATE INDEX account_transfers_ending ON account_transfers USING btree (expires_at)
  CREATE INDEX account_transfers_event ON account_transfers USING btree (event_id)
  CREATE INDEX account_transfers_maker ON account_transfers USING btree (made_by)
  CREATE UNIQUE INDEX account_transfers_code_hash_key ON account_transfers USING btree (code_hash)
  CREATE UNIQUE INDEX account_transfers_pkey ON account_transfers USING btree (user_id, kind)
  constraint account_transfers_code_hash_key UNIQUE (code_hash)
  constraint account_transfers_device_row_fkey FOREIGN KEY (device_row) REFERENCES devices(id) ON DELETE CASCADE
  constraint account_transfers_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint account_transfers_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'own'::text, 'organizer'::text])))
  constraint account_transfers_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE CASCADE
  constraint account_transfers_pkey PRIMARY KEY (user_id, kind)
  constraint account_transfers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table album_selections (
  id bigint not null identity,
  user_id bigint not null,
  photo_ids bigint[] not null,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX album_selections_by_age ON album_selections USING btree (created_at)
  CREATE UNIQUE INDEX album_selections_pkey ON album_selections USING btree (id)
  constraint album_selections_pkey PRIMARY KEY (id)
  constraint album_selections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table announcement_reads (
  announcement_id bigint not null,
  user_id bigint not null,
  read_at timestamp with time zone not null default now()
)
  CREATE INDEX announcement_reads_user ON announcement_reads USING btree (user_id)
  CREATE UNIQUE INDEX announcement_reads_pkey ON announcement_reads USING btree (announcement_id, user_id)
  constraint announcement_reads_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE
  constraint announcement_reads_pkey PRIMARY KEY (announcement_id, user_id)
  constraint announcement_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table announcements (
  id bigint not null identity,
  event_id bigint not null,
  user_id bigint not null,
  text text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  withdrawn_at timestamp with time zone,
  photo_ids bigint[] not null default '{}'::bigint[],
  message_id bigint
)
  CREATE INDEX announcements_event ON announcements USING btree (event_id, id)
  CREATE INDEX announcements_message ON announcements USING btree (message_id) WHERE (message_id IS NOT NULL)
  CREATE INDEX announcements_user ON announcements USING btree (user_id)
  CREATE UNIQUE INDEX announcements_pkey ON announcements USING btree (id)
  constraint announcements_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint announcements_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE SET NULL
  constraint announcements_pkey PRIMARY KEY (id)
  constraint announcements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table answers (
  event_id bigint not null,
  user_id bigint not null,
  answer text not null,
  plus integer not null default 0,
  plus_names text,
  note text,
  seated boolean not null default false,
  line bigint,
  answered_at timestamp with time zone not null default now()
)
  CREATE INDEX answers_of_user ON answers USING btree (user_id)
  CREATE UNIQUE INDEX answers_line ON answers USING btree (event_id, line) WHERE (line IS NOT NULL)
  CREATE UNIQUE INDEX answers_pkey ON answers USING btree (event_id, user_id)
  constraint answers_answer_check CHECK ((answer = ANY (ARRAY['going'::text, 'maybe'::text, 'no'::text])))
  constraint answers_check CHECK ((((answer = 'going'::text) = (seated OR (line IS NOT NULL))) AND (NOT (seated AND (line IS NOT NULL)))))
  constraint answers_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint answers_pkey PRIMARY KEY (event_id, user_id)
  constraint answers_plus_check CHECK ((plus >= 0))
  constraint answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table answers_away (
  event_id bigint not null,
  user_id bigint not null,
  answer text not null,
  plus integer not null,
  plus_names text,
  note text,
  seated boolean not null,
  line bigint,
  answered_at timestamp with time zone not null,
  sent_at timestamp with time zone not null default now()
)
  CREATE INDEX answers_away_of_user ON answers_away USING btree (user_id)
  CREATE INDEX answers_away_sent ON answers_away USING btree (sent_at)
  CREATE UNIQUE INDEX answers_away_pkey ON answers_away USING btree (event_id, user_id)
  constraint answers_away_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint answers_away_pkey PRIMARY KEY (event_id, user_id)
  constraint answers_away_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table asked_answers (
  event_id bigint not null,
  starts_at timestamp with time zone not null
)
  CREATE UNIQUE INDEX asked_answers_pkey ON asked_answers USING btree (event_id, starts_at)
  constraint asked_answers_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint asked_answers_pkey PRIMARY KEY (event_id, starts_at)

table attachments (
  id bigint not null identity,
  group_chat_id bigint not null,
  sequence bigint not null,
  message_id bigint not null,
  user_id bigint not null,
  media_id bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  deleted_at timestamp with time zone,
  hidden_at timestamp with time zone,
  picture_epoch integer not null default 0
)
  CREATE INDEX attachments_hidden ON attachments USING btree (group_chat_id, sequence) WHERE ((hidden_at IS NOT NULL) AND (deleted_at IS NULL))
  CREATE INDEX attachments_of_media ON attachments USING btree (media_id) WHERE (deleted_at IS NULL)
  CREATE INDEX attachments_of_message ON attachments USING btree (message_id, id) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX attachments_in_order ON attachments USING btree (group_chat_id, sequence) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX attachments_pkey ON attachments USING btree (id)
  constraint attachments_group_chat_id_fkey FOREIGN KEY (group_chat_id) REFERENCES group_chats(id)
  constraint attachments_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id)
  constraint attachments_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id)
  constraint attachments_pkey PRIMARY KEY (id)

table audit_entries (
  id bigint not null identity,
  event_id bigint not null,
  actor_id bigint not null,
  act text not null,
  subject_id bigint not null,
  user_id bigint,
  created_at timestamp with time zone not null default clock_timestamp(),
  reason text
)
  CREATE INDEX audit_entries_invited ON audit_entries USING btree (actor_id, created_at) INCLUDE (user_id) WHERE (act = 'user.invited'::text)
  CREATE INDEX audit_entries_newest ON audit_entries USING btree (event_id, id DESC)
  CREATE INDEX audit_entries_reasons ON audit_entries USING btree (user_id) WHERE (reason IS NOT NULL)
  CREATE TRIGGER audit_entries_stay BEFORE DELETE OR UPDATE OF id, event_id, actor_id, act, subject_id, user_id, created_at OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()
  CREATE UNIQUE INDEX audit_entries_pkey ON audit_entries USING btree (id)
  constraint audit_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id)
  constraint audit_entries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint audit_entries_pkey PRIMARY KEY (id)
  constraint audit_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table blocks (
  blocker_id bigint not null,
  blocked_id bigint not null,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX blocks_against ON blocks USING btree (blocked_id, blocker_id)
  CREATE INDEX blocks_newest ON blocks USING btree (blocker_id, created_at DESC, blocked_id DESC)
  CREATE TRIGGER blocks_end_let_ins AFTER INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION end_let_ins_of_blocked()
  CREATE UNIQUE INDEX blocks_pkey ON blocks USING btree (blocker_id, blocked_id)
  constraint blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id)
  constraint blocks_blocker_id_fkey FOREIGN KEY (blocker_id) REFERENCES users(id)
  constraint blocks_check CHECK ((blocker_id <> blocked_id))
  constraint blocks_pkey PRIMARY KEY (blocker_id, blocked_id)

table calendar_feeds (
  user_id bigint not null,
  nonce bytea not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  shown_tag text,
  changed_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX calendar_feeds_code_hash_key ON calendar_feeds USING btree (code_hash)
  CREATE UNIQUE INDEX calendar_feeds_pkey ON calendar_feeds USING btree (user_id)
  constraint calendar_feeds_code_hash_key UNIQUE (code_hash)
  constraint calendar_feeds_pkey PRIMARY KEY (user_id)
  constraint calendar_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table change_log (
  one boolean not null default true,
  kept_after bigint not null default 0,
  history text not null default "left"(replace((gen_random_uuid())::text, '-'::text, ''::text), 12),
  written_at text not null default ''::text,
  cursor_key bytea not null default decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text)
)
  CREATE UNIQUE INDEX change_log_pkey ON change_log USING btree (one)
  constraint change_log_one_check CHECK (one)
  constraint change_log_pkey PRIMARY KEY (one)

table changes (
  id bigint not null identity,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  audience text not null,
  event_id bigint,
  user_id bigint,
  actor_id bigint not null,
  subject_id bigint not null,
  detail jsonb,
  created_at timestamp with time zone not null default now(),
  place bigint,
  settled_before xid8
)
  CREATE INDEX changes_of_event ON changes USING btree (event_id, place) WHERE ((place IS NOT NULL) AND (event_id IS NOT NULL))
  CREATE INDEX changes_of_user ON changes USING btree (user_id, place) WHERE ((place IS NOT NULL) AND (user_id IS NOT NULL))
  CREATE INDEX changes_session_ends ON changes USING btree (place) WHERE (kind = 'session.ended'::text)
  CREATE INDEX changes_unplaced ON changes USING btree (xid) WHERE (place IS NULL)
  CREATE UNIQUE INDEX changes_by_place ON changes USING btree (place) WHERE (place IS NOT NULL)
  CREATE UNIQUE INDEX changes_pkey ON changes USING btree (id)
  constraint changes_audience_check CHECK ((audience = ANY (ARRAY['event'::text, 'organizers'::text, 'user'::text])))
  constraint changes_pkey PRIMARY KEY (id)

table chat_mutes (
  group_chat_id bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX chat_mutes_pkey ON chat_mutes USING btree (group_chat_id, user_id)
  constraint chat_mutes_group_chat_id_fkey FOREIGN KEY (group_chat_id) REFERENCES group_chats(id)
  constraint chat_mutes_pkey PRIMARY KEY (group_chat_id, user_id)

table comment_reaction_counts (
  comment_id bigint not null,
  reaction text not null,
  count integer not null
)
  CREATE UNIQUE INDEX comment_reaction_counts_pkey ON comment_reaction_counts USING btree (comment_id, reaction)
  constraint comment_reaction_counts_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id)
  constraint comment_reaction_counts_pkey PRIMARY KEY (comment_id, reaction)

table comment_reactions (
  id bigint not null identity,
  comment_id bigint not null,
  user_id bigint not null,
  reaction text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  sequence bigint not null
)
  CREATE INDEX comment_reactions_by_kind ON comment_reactions USING btree (comment_id, reaction, id)
  CREATE INDEX comment_reactions_of_user ON comment_reactions USING btree (user_id, comment_id)
  CREATE UNIQUE INDEX comment_reactions_comment_id_user_id_key ON comment_reactions USING btree (comment_id, user_id)
  CREATE UNIQUE INDEX comment_reactions_in_order ON comment_reactions USING btree (comment_id, sequence)
  CREATE UNIQUE INDEX comment_reactions_pkey ON comment_reactions USING btree (id)
  constraint comment_reactions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id)
  constraint comment_reactions_comment_id_user_id_key UNIQUE (comment_id, user_id)
  constraint comment_reactions_pkey PRIMARY KEY (id)
  constraint comment_reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table comments (
  id bigint not null identity,
  photo_id bigint not null,
  parent_id bigint,
  sequence bigint not null,
  user_id bigint not null,
  text text not null,
  replies_count integer not null default 0,
  last_reply_sequence bigint not null default 0,
  edited_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  deleted_at timestamp with time zone,
  last_reaction_sequence bigint not null default 0,
  hidden_at timestamp with time zone
)
  CREATE INDEX comments_hidden ON comments USING btree (photo_id, sequence) WHERE ((hidden_at IS NOT NULL) AND (parent_id IS NULL) AND (deleted_at IS NULL))
  CREATE INDEX replies_hidden ON comments USING btree (parent_id, sequence) WHERE ((hidden_at IS NOT NULL) AND (parent_id IS NOT NULL) AND (deleted_at IS NULL))
  CREATE UNIQUE INDEX comments_in_order ON comments USING btree (photo_id, sequence) WHERE ((parent_id IS NULL) AND (deleted_at IS NULL))
  CREATE UNIQUE INDEX comments_pkey ON comments USING btree (id)
  CREATE UNIQUE INDEX replies_in_order ON comments USING btree (parent_id, sequence) WHERE ((parent_id IS NOT NULL) AND (deleted_at IS NULL))
  constraint comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments(id)
  constraint comments_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES photos(id)
  constraint comments_pkey PRIMARY KEY (id)
  constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table damaged_files (
  sha256 text not null,
  media_id bigint not null,
  fault text not null,
  found_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX damaged_files_pkey ON damaged_files USING btree (sha256)
  constraint damaged_files_fault_check CHECK ((fault = ANY (ARRAY['missing'::text, 'changed'::text, 'wrong length'::text, 'unreadable'::text])))
  constraint damaged_files_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id)
  constraint damaged_files_pkey PRIMARY KEY (sha256)

table deliveries (
  notification_id bigint not null,
  device_row bigint not null,
  device_id text not null,
  platform text not null,
  way text not null,
  state text not null,
  reasons jsonb not null,
  outcome jsonb,
  tries smallint not null default 0,
  interruptions smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  together smallint
)
  CREATE INDEX deliveries_held ON deliveries USING btree (device_row) WHERE (state = 'held'::text)
  CREATE UNIQUE INDEX deliveries_pkey ON deliveries USING btree (notification_id, device_row, way)
  constraint deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE
  constraint deliveries_pkey PRIMARY KEY (notification_id, device_row, way)
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'held'::text, 'sent'::text, 'acknowledged'::text, 'delivered'::text, 'failed'::text, 'skipped'::text]))) NOT VALID
  constraint deliveries_way_check CHECK ((way = ANY (ARRAY['channel'::text, 'push'::text, 'none'::text])))

table devices (
  id bigint not null identity,
  user_id bigint not null,
  device_id text not null,
  platform text not null,
  timezone text not null,
  token_hash bytea not null,
  token_expires_at timestamp with time zone not null,
  previous_token_hash bytea,
  previous_token_expires_at timestamp with time zone,
  last_used_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  proven_at timestamp with time zone,
  language text,
  let_in_by bigint,
  let_in_event bigint,
  came_from bytea
)
  CREATE INDEX devices_let_in_by ON devices USING btree (let_in_by) WHERE (let_in_by IS NOT NULL)
  CREATE INDEX devices_let_in_event ON devices USING btree (let_in_event) WHERE (let_in_event IS NOT NULL)
  CREATE TRIGGER devices_changed AFTER UPDATE OF token_hash, token_expires_at, previous_token_hash, previous_token_expires_at ON devices FOR EACH ROW WHEN (((((old.token_hash IS DISTINCT FROM new.token_hash) OR (old.token_expires_at IS DISTINCT FROM new.token_expires_at)) OR (old.previous_token_hash IS DISTINCT FROM new.previous_token_hash)) OR (old.previous_token_expires_at IS DISTINCT FROM new.previous_token_expires_at))) EXECUTE FUNCTION tell_session_ended()
  CREATE TRIGGER devices_deleted AFTER DELETE ON devices FOR EACH ROW WHEN ((old.token_expires_at > now())) EXECUTE FUNCTION tell_session_ended()
  CREATE UNIQUE INDEX devices_pkey ON devices USING btree (id)
  CREATE UNIQUE INDEX devices_previous_token_hash_key ON devices USING btree (previous_token_hash)
  CREATE UNIQUE INDEX devices_token_hash_key ON devices USING btree (token_hash)
  CREATE UNIQUE INDEX devices_user_id_device_id_key ON devices USING btree (user_id, device_id)
  constraint devices_let_in_by_fkey FOREIGN KEY (let_in_by) REFERENCES users(id) ON DELETE CASCADE
  constraint devices_let_in_event_fkey FOREIGN KEY (let_in_event) REFERENCES events(id) ON DELETE CASCADE
  constraint devices_pkey PRIMARY KEY (id)
  constraint devices_previous_token_hash_key UNIQUE (previous_token_hash)
  constraint devices_token_hash_key UNIQUE (token_hash)
  constraint devices_user_id_device_id_key UNIQUE (user_id, device_id)
  constraint devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table event_links (
  id bigint not null identity,
  event_id bigint not null,
  code_hash bytea not null,
  nonce bytea not null,
  pin_mac bytea,
  wrong_pins integer not null default 0,
  uses integer not null default 0,
  uses_max integer,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  wrong_pin_at timestamp with time zone,
  pin_sealed bytea,
  paused_at timestamp with time zone,
  flow integer not null default 0,
  flow_since timestamp with time zone not null default now(),
  role text not null default 'guest'::text,
  viewer_id bigint,
  photographer boolean not null default false,
  photos_wait boolean not null default true,
  made_with_event boolean not null default false
)
  CREATE INDEX event_links_for_adding ON event_links USING btree (expires_at) WHERE ((role = 'drop'::text) AND (revoked_at IS NULL))
  CREATE INDEX event_links_newest ON event_links USING btree (event_id, id DESC)
  CREATE INDEX event_links_viewed ON event_links USING btree (event_id) WHERE (viewer_id IS NOT NULL)
  CREATE UNIQUE INDEX event_links_code_hash_key ON event_links USING btree (code_hash)
  CREATE UNIQUE INDEX event_links_pkey ON event_links USING btree (id)
  CREATE UNIQUE INDEX event_links_viewer ON event_links USING btree (viewer_id, event_id) WHERE (viewer_id IS NOT NULL)
  constraint event_links_check CHECK ((uses <= uses_max))
  constraint event_links_check1 CHECK (((NOT photographer) OR (role = 'drop'::text)))
  constraint event_links_check2 CHECK ((photos_wait OR photographer))
  constraint event_links_code_hash_key UNIQUE (code_hash)
  constraint event_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
  constraint event_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint event_links_pkey PRIMARY KEY (id)
  constraint event_links_role_check CHECK ((role = ANY (ARRAY['guest'::text, 'drop'::text, 'look'::text, 'look_chat'::text, 'screen'::text, 'screen_chat'::text])))
  constraint event_links_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES users(id)

table event_moves (
  event_id bigint not null,
  moved_at timestamp with time zone not null default clock_timestamp(),
  starts_at timestamp with time zone not null
)
  CREATE UNIQUE INDEX event_moves_pkey ON event_moves USING btree (event_id, moved_at)
  constraint event_moves_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint event_moves_pkey PRIMARY KEY (event_id, moved_at)

table event_notification_settings (
  user_id bigint not null,
  event_id bigint not null,
  level text not null default 'everything'::text,
  muted_until timestamp with time zone,
  photos_at_once_since timestamp with time zone
)
  CREATE INDEX event_notification_settings_event ON event_notification_settings USING btree (event_id)
  CREATE UNIQUE INDEX event_notification_settings_pkey ON event_notification_settings USING btree (user_id, event_id)
  constraint event_notification_settings_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint event_notification_settings_level_check CHECK ((level = ANY (ARRAY['everything'::text, 'for_me'::text, 'nothing'::text])))
  constraint event_notification_settings_pkey PRIMARY KEY (user_id, event_id)
  constraint event_notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table event_plans (
  event_id bigint not null,
  places integer,
  album_for text not null default 'everybody'::text,
  plus_max integer,
  reminded_at timestamp with time zone
)
  CREATE UNIQUE INDEX event_plans_pkey ON event_plans USING btree (event_id)
  constraint event_plans_album_for_check CHECK ((album_for = ANY (ARRAY['everybody'::text, 'coming'::text])))
  constraint event_plans_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint event_plans_pkey PRIMARY KEY (event_id)
  constraint event_plans_places_check CHECK ((places > 0))
  constraint event_plans_plus_max_check CHECK ((plus_max >= 0))

table events (
  id bigint not null identity,
  name text not null,
  description text,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  over_at timestamp with time zone not null generated as COALESCE(ends_at, (((starts_at AT TIME ZONE 'UTC'::text) + '1 day'::interval) AT TIME ZONE 'UTC'::text)),
  timezone text not null,
  location text,
  visibility smallint not null default 1,
  join_mode smallint not null default 2,
  status smallint not null default 1,
  attachments_to_album boolean not null default true,
  avatar_media_id bigint,
  guests_count integer not null default 0,
  media_epoch integer not null default 0,
  created_by bigint not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  last_asked_sequence bigint not null default 0,
  guests_may_share boolean not null default true,
  greetings_on_wall boolean not null default false,
  photos_per_guest integer,
  planned_at timestamp with time zone not null default now(),
  offered_to bigint,
  erased_at timestamp with time zone,
  barred text,
  avatar_ending text not null default 'jpg'::text,
  departures integer not null default 0,
  links_ended_at timestamp with time zone,
  revision integer not null default 0,
  photo_approval text not null default 'none'::text,
  again_of bigint,
  page_lives boolean not null default true,
  location_hidden boolean not null default false,
  theme text,
  guests_hidden boolean not null default false
)
  CREATE INDEX events_ended ON events USING btree (over_at) WHERE ((status = 1) AND (deleted_at IS NULL))
  CREATE INDEX events_public ON events USING btree (over_at, id) WHERE ((visibility = 1) AND (status = 1) AND (deleted_at IS NULL))
  CREATE INDEX events_starting ON events USING btree (starts_at) WHERE ((status = 1) AND (deleted_at IS NULL))
  CREATE INDEX events_to_erase ON events USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (erased_at IS NULL))
  CREATE TRIGGER events_avatar_ending BEFORE INSERT OR UPDATE OF avatar_media_id ON events FOR EACH ROW WHEN ((new.avatar_media_id IS NOT NULL)) EXECUTE FUNCTION note_avatar_ending()
  CREATE TRIGGER events_moved AFTER UPDATE OF starts_at ON events FOR EACH ROW WHEN ((old.starts_at <> new.starts_at)) EXECUTE FUNCTION note_move()
  CREATE TRIGGER events_revision BEFORE UPDATE OF name, description, starts_at, ends_at, timezone, location, status ON events FOR EACH ROW WHEN ((((((((old.name IS DISTINCT FROM new.name) OR (old.description IS DISTINCT FROM new.description)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.timezone IS DISTINCT FROM new.timezone)) OR (old.location IS DISTINCT FROM new.location)) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION raise_event_revision()
  CREATE UNIQUE INDEX events_pkey ON events USING btree (id)
  constraint events_again_of_fkey FOREIGN KEY (again_of) REFERENCES events(id)
  constraint events_avatar_media_id_fkey FOREIGN KEY (avatar_media_id) REFERENCES media(id)
  constraint events_barred_check CHECK ((barred = ANY (ARRAY['unlisted'::text, 'deleted'::text])))
  constraint events_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
  constraint events_join_mode_check CHECK (((join_mode >= 1) AND (join_mode <= 3)))
  constraint events_offered_to_fkey FOREIGN KEY (offered_to) REFERENCES users(id)
  constraint events_photo_approval_check CHECK ((photo_approval = ANY (ARRAY['none'::text, 'wall'::text, 'album'::text])))
  constraint events_photos_per_guest_check CHECK ((photos_per_guest >= 0))
  constraint events_pkey PRIMARY KEY (id)
  constraint events_status_check CHECK (((status >= 1) AND (status <= 2)))
  constraint events_visibility_check CHECK (((visibility >= 1) AND (visibility <= 3)))

table file_sums (
  sha256 text not null,
  crc32 bigint not null
)
  CREATE UNIQUE INDEX file_sums_pkey ON file_sums USING btree (sha256)
  constraint file_sums_pkey PRIMARY KEY (sha256)

table friend_requests (
  asker_id bigint not null,
  asked_id bigint not null,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX friend_requests_newest ON friend_requests USING btree (asked_id, created_at DESC, asker_id DESC)
  CREATE UNIQUE INDEX friend_requests_pkey ON friend_requests USING btree (asker_id, asked_id)
  constraint friend_requests_asked_id_fkey FOREIGN KEY (asked_id) REFERENCES users(id)
  constraint friend_requests_asker_id_fkey FOREIGN KEY (asker_id) REFERENCES users(id)
  constraint friend_requests_check CHECK ((asker_id <> asked_id))
  constraint friend_requests_pkey PRIMARY KEY (asker_id, asked_id)

table friendships (
  user_id bigint not null,
  friend_id bigint not null,
  found_by text not null,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX friendships_by_name ON friendships USING btree (user_id, found_by, friend_id)
  CREATE UNIQUE INDEX friendships_pkey ON friendships USING btree (user_id, friend_id)
  constraint friendships_check CHECK ((user_id <> friend_id))
  constraint friendships_friend_id_fkey FOREIGN KEY (friend_id) REFERENCES users(id)
  constraint friendships_pkey PRIMARY KEY (user_id, friend_id)
  constraint friendships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table galleries (
  event_id bigint not null,
  last_sequence bigint not null default 0,
  photos_told_at timestamp with time zone,
  sealed_from text,
  reveals_at timestamp with time zone,
  revealed_at timestamp with time zone,
  waiting_told_at timestamp with time zone,
  asks_for_photos boolean not null default true
)
  CREATE INDEX galleries_revealing ON galleries USING btree (reveals_at) WHERE (sealed_from IS NOT NULL)
  CREATE UNIQUE INDEX galleries_pkey ON galleries USING btree (event_id)
  constraint galleries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint galleries_pkey PRIMARY KEY (event_id)
  constraint galleries_sealed_from_check CHECK ((sealed_from = ANY (ARRAY['guests'::text, 'everybody'::text])))

table group_chats (
  id bigint not null identity,
  event_id bigint not null,
  status smallint not null default 1,
  last_sequence bigint not null default 0,
  last_message_id bigint,
  last_activity_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  last_attachment_sequence bigint not null default 0,
  pinned_message_id bigint,
  pinned_at timestamp with time zone,
  read_only_from timestamp with time zone,
  announces boolean not null default true
)
  CREATE INDEX group_chats_read_only_from ON group_chats USING btree (read_only_from) WHERE (read_only_from IS NOT NULL)
  CREATE UNIQUE INDEX group_chats_event_id_key ON group_chats USING btree (event_id)
  CREATE UNIQUE INDEX group_chats_pkey ON group_chats USING btree (id)
  constraint group_chats_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint group_chats_event_id_key UNIQUE (event_id)
  constraint group_chats_pkey PRIMARY KEY (id)
  constraint group_chats_status_check CHECK (((status >= 1) AND (status <= 3)))

table guest_lines (
  event_id bigint not null,
  user_id bigint not null,
  found_by text not null
)
  CREATE UNIQUE INDEX guest_lines_pkey ON guest_lines USING btree (event_id, user_id) INCLUDE (found_by)
  constraint guest_lines_event_id_user_id_fkey FOREIGN KEY (event_id, user_id) REFERENCES guests(event_id, user_id) ON DELETE CASCADE
  constraint guest_lines_pkey PRIMARY KEY (event_id, user_id) INCLUDE (found_by)

table guests (
  event_id bigint not null,
  user_id bigint not null,
  joined_at timestamp with time zone not null default now(),
  joined_sequence bigint not null default 0,
  photos_count integer not null default 0,
  ended_at timestamp with time zone,
  removed boolean not null default false,
  photos_max integer,
  role text not null default 'guest'::text,
  link_id bigint,
  away_id bigint,
  photographs_by bigint,
  trusted boolean not null default false
)
  CREATE INDEX guests_absent ON guests USING btree (event_id) WHERE ((role = 'absent'::text) AND (ended_at IS NULL))
  CREATE INDEX guests_former ON guests USING btree (user_id, event_id) WHERE (ended_at IS NOT NULL)
  CREATE INDEX guests_in_order ON guests USING btree (event_id, ((role <> ALL (ARRAY['guest'::text, 'absent'::text]))) DESC, joined_at, user_id) WHERE ((ended_at IS NULL) AND (role <> 'drop'::text))
  CREATE INDEX guests_of_link ON guests USING btree (link_id) WHERE (link_id IS NOT NULL)
  CREATE INDEX guests_photographing ON guests USING btree (photographs_by) WHERE (photographs_by IS NOT NULL)
  CREATE INDEX guests_sent_away ON guests USING btree (away_id) WHERE (away_id IS NOT NULL)
  CREATE INDEX guests_user ON guests USING btree (user_id, event_id) INCLUDE (role) WHERE (ended_at IS NULL)
  CREATE TRIGGER guests_end_let_ins AFTER UPDATE OF ended_at, role ON guests FOR EACH ROW WHEN ((((old.ended_at IS NULL) <> (new.ended_at IS NULL)) OR (old.role <> new.role))) EXECUTE FUNCTION end_let_ins_of_guest()
  CREATE TRIGGER guests_end_let_ins_entering AFTER INSERT ON guests REFERENCING NEW TABLE AS entering FOR EACH STATEMENT EXECUTE FUNCTION end_let_ins_of_guests()
  CREATE TRIGGER guests_forget_seen_mark AFTER UPDATE OF ended_at ON guests FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION forget_seen_mark()
  CREATE TRIGGER guests_free_seats AFTER UPDATE OF ended_at ON guests FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION free_seats()
  CREATE TRIGGER guests_rewrite_line AFTER UPDATE OF ended_at ON guests FOR EACH ROW WHEN (((old.ended_at IS NULL) <> (new.ended_at IS NULL))) EXECUTE FUNCTION rewrite_line()
  CREATE TRIGGER guests_tell_entered AFTER INSERT ON guests REFERENCING NEW TABLE AS entering FOR EACH STATEMENT EXECUTE FUNCTION tell_entered()
  CREATE TRIGGER guests_tell_entered_again AFTER UPDATE OF ended_at ON guests FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) AND (new.ended_at IS NULL))) EXECUTE FUNCTION tell_entered_again()
  CREATE TRIGGER guests_write_lines AFTER INSERT ON guests REFERENCING NEW TABLE AS entering FOR EACH STATEMENT EXECUTE FUNCTION write_lines()
  CREATE UNIQUE INDEX guests_owner ON guests USING btree (event_id) WHERE ((role = 'owner'::text) AND (ended_at IS NULL))
  CREATE UNIQUE INDEX guests_pkey ON guests USING btree (event_id, user_id)
  constraint guests_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint guests_photos_max_check CHECK ((photos_max >= 0))
  constraint guests_pkey PRIMARY KEY (event_id, user_id)
  constraint guests_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'organizer'::text, 'guest'::text, 'absent'::text, 'drop'::text])))
  constraint guests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table idempotency_keys (
  user_id bigint not null,
  operation text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  status smallint,
  reply jsonb,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX idempotency_keys_created_at ON idempotency_keys USING btree (created_at)
  CREATE UNIQUE INDEX idempotency_keys_pkey ON idempotency_keys USING btree (user_id, operation, key_hash)
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, operation, key_hash)

table invitations (
  id bigint not null identity,
  event_id bigint not null,
  user_id bigint not null,
  invited_by bigint not null,
  status text not null default 'open'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  organizes boolean not null default false
)
  CREATE INDEX invitations_open ON invitations USING btree (user_id, created_at DESC, id DESC) WHERE (status = 'open'::text)
  CREATE UNIQUE INDEX invitations_event_id_user_id_key ON invitations USING btree (event_id, user_id)
  CREATE UNIQUE INDEX invitations_pkey ON invitations USING btree (id)
  constraint invitations_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint invitations_event_id_user_id_key UNIQUE (event_id, user_id)
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id)
  constraint invitations_pkey PRIMARY KEY (id)
  constraint invitations_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])))
  constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table job_lanes (
  name text not null,
  held_by text
)
  CREATE UNIQUE INDEX job_lanes_pkey ON job_lanes USING btree (name)
  constraint job_lanes_pkey PRIMARY KEY (name)

table job_schedule (
  task text not null,
  last_due_at timestamp with time zone not null
)
  CREATE UNIQUE INDEX job_schedule_pkey ON job_schedule USING btree (task)
  constraint job_schedule_pkey PRIMARY KEY (task)

table jobs (
  id bigint not null identity,
  task text not null,
  payload json not null,
  lane text,
  priority integer not null default 0,
  run_at timestamp with time zone not null default now(),
  attempts smallint not null default 0,
  last_error text,
  held_by text,
  failed_at timestamp with time zone,
  deaths smallint not null default 0,
  held_since timestamp with time zone,
  failing_since timestamp with time zone
)
  CREATE INDEX jobs_due ON jobs USING btree (priority, run_at, id) WHERE ((held_by IS NULL) AND (failed_at IS NULL) AND (lane IS NULL))
  CREATE INDEX jobs_failed ON jobs USING btree (failed_at) WHERE (failed_at IS NOT NULL)
  CREATE INDEX jobs_of_lane ON jobs USING btree (lane, priority, run_at, id) WHERE ((held_by IS NULL) AND (failed_at IS NULL) AND (lane IS NOT NULL))
  CREATE INDEX jobs_suspected ON jobs USING btree (run_at) WHERE ((deaths >= 2) AND (held_by IS NULL) AND (failed_at IS NULL))
  CREATE TRIGGER jobs_tell AFTER INSERT ON jobs FOR EACH STATEMENT EXECUTE FUNCTION tell_of_jobs()
  CREATE UNIQUE INDEX jobs_pkey ON jobs USING btree (id)
  constraint jobs_pkey PRIMARY KEY (id)

table join_requests (
  event_id bigint not null,
  user_id bigint not null,
  status text not null,
  asked_at timestamp with time zone not null default now(),
  answered_at timestamp with time zone,
  answered_by bigint,
  sequence bigint
)
  CREATE UNIQUE INDEX join_requests_pkey ON join_requests USING btree (event_id, user_id)
  CREATE UNIQUE INDEX join_requests_waiting ON join_requests USING btree (event_id, sequence) WHERE (status = 'asked'::text)
  constraint join_requests_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users(id)
  constraint join_requests_check CHECK (((status <> 'asked'::text) OR (sequence IS NOT NULL)))
  constraint join_requests_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint join_requests_pkey PRIMARY KEY (event_id, user_id)
  constraint join_requests_status_check CHECK ((status = ANY (ARRAY['asked'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text])))
  constraint join_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table known_places (
  user_id bigint not null,
  place bytea not null,
  seen_at timestamp with time zone not null default now()
)
  CREATE INDEX known_places_seen ON known_places USING btree (seen_at)
  CREATE UNIQUE INDEX known_places_pkey ON known_places USING btree (user_id, place)
  constraint known_places_pkey PRIMARY KEY (user_id, place)
  constraint known_places_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table known_words (
  word text not null
)
  CREATE INDEX known_words_alike ON known_words USING gin (word gin_trgm_ops) WITH (fastupdate=off)
  CREATE UNIQUE INDEX known_words_pkey ON known_words USING btree (word)
  constraint known_words_pkey PRIMARY KEY (word)

table link_short_codes (
  link_id bigint not null,
  turn smallint not null,
  mac bytea not null
)
  CREATE UNIQUE INDEX link_short_codes_mac_key ON link_short_codes USING btree (mac)
  CREATE UNIQUE INDEX link_short_codes_pkey ON link_short_codes USING btree (link_id)
  constraint link_short_codes_link_id_fkey FOREIGN KEY (link_id) REFERENCES event_links(id) ON DELETE CASCADE
  constraint link_short_codes_mac_key UNIQUE (mac)
  constraint link_short_codes_pkey PRIMARY KEY (link_id)

table links_sent_away (
  id bigint not null identity,
  event_id bigint not null,
  link_id bigint not null,
  since timestamp with time zone not null,
  people integer not null default 0,
  closed_link boolean not null,
  sent_by bigint not null,
  created_at timestamp with time zone not null default now(),
  undone_at timestamp with time zone
)
  CREATE INDEX links_sent_away_by ON links_sent_away USING btree (sent_by)
  CREATE INDEX links_sent_away_of_event ON links_sent_away USING btree (event_id, id)
  CREATE INDEX links_sent_away_of_link ON links_sent_away USING btree (link_id)
  CREATE UNIQUE INDEX links_sent_away_pkey ON links_sent_away USING btree (id)
  constraint links_sent_away_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint links_sent_away_link_id_fkey FOREIGN KEY (link_id) REFERENCES event_links(id) ON DELETE CASCADE
  constraint links_sent_away_pkey PRIMARY KEY (id)
  constraint links_sent_away_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES users(id)

table login_options (
  user_id bigint not null,
  type integer not null,
  identifier text not null,
  created_at timestamp with time zone not null default now(),
  issuer text
)
  CREATE INDEX login_options_own_identifier ON login_options USING btree (lower(identifier), created_at) WHERE (type = 1)
  CREATE UNIQUE INDEX login_options_identity_key ON login_options USING btree (issuer, identifier)
  CREATE UNIQUE INDEX login_options_pkey ON login_options USING btree (user_id, type)
  constraint login_options_pkey PRIMARY KEY (user_id, type)
  constraint login_options_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table mail_digests (
  user_id bigint not null,
  since timestamp with time zone not null,
  told_up_to timestamp with time zone not null,
  told_at timestamp with time zone not null,
  sent_at timestamp with time zone
)
  CREATE UNIQUE INDEX mail_digests_pkey ON mail_digests USING btree (user_id)
  constraint mail_digests_pkey PRIMARY KEY (user_id)
  constraint mail_digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table mailed_codes (
  user_id bigint not null,
  purpose text not null,
  code_hash bytea not null,
  email text not null,
  expires_at timestamp with time zone not null
)
  CREATE UNIQUE INDEX mailed_codes_code_hash_key ON mailed_codes USING btree (code_hash)
  CREATE UNIQUE INDEX mailed_codes_pkey ON mailed_codes USING btree (user_id, purpose)
  constraint mailed_codes_code_hash_key UNIQUE (code_hash)
  constraint mailed_codes_pkey PRIMARY KEY (user_id, purpose)
  constraint mailed_codes_purpose_check CHECK ((purpose = ANY (ARRAY['verify'::text, 'reset'::text, 'undo'::text])))
  constraint mailed_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table mails_asked (
  id bigint not null identity,
  address_hash bytea not null,
  by_user_id bigint,
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX mails_asked_address ON mails_asked USING btree (address_hash, created_at)
  CREATE INDEX mails_asked_by_user ON mails_asked USING btree (by_user_id, created_at) WHERE (by_user_id IS NOT NULL)
  CREATE INDEX mails_asked_created_at ON mails_asked USING btree (created_at)
  CREATE UNIQUE INDEX mails_asked_pkey ON mails_asked USING btree (id)
  constraint mails_asked_by_user_id_fkey FOREIGN KEY (by_user_id) REFERENCES users(id) ON DELETE CASCADE
  constraint mails_asked_pkey PRIMARY KEY (id)

table marks_away (
  event_id bigint not null,
  user_id bigint not null,
  mark text not null,
  given jsonb not null,
  sent_at timestamp with time zone not null default now()
)
  CREATE INDEX marks_away_of_event ON marks_away USING btree (event_id, user_id)
  CREATE INDEX marks_away_of_user ON marks_away USING btree (user_id)
  CREATE INDEX marks_away_sent ON marks_away USING btree (sent_at)
  constraint marks_away_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint marks_away_mark_check CHECK ((mark = ANY (ARRAY['photo_likes'::text, 'comment_reactions'::text, 'message_reactions'::text, 'poll_votes'::text])))
  constraint marks_away_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table media (
  id bigint not null identity,
  event_id bigint,
  owner_id bigint not null,
  original_sha256 text not null,
  original_bytes bigint not null,
  original_type text not null,
  width integer not null,
  height integer not null,
  thumbhash text not null,
  taken_at timestamp with time zone,
  variants jsonb not null,
  created_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  taken_local text,
  latitude double precision,
  longitude double precision,
  look bit(128),
  epoch integer not null default 0,
  given_up_at timestamp with time zone,
  upload_sha256 text,
  full_size jsonb,
  file_name text,
  original_forgotten boolean not null default false
)
  CREATE CONSTRAINT TRIGGER media_counted AFTER INSERT OR DELETE ON media DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_media()
  CREATE CONSTRAINT TRIGGER media_counted_anew AFTER UPDATE ON media DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.given_up_at IS DISTINCT FROM new.given_up_at) OR (old.variants <> new.variants) OR (old.original_sha256 <> new.original_sha256))) EXECUTE FUNCTION count_media()
  CREATE INDEX media_files ON media USING gin (media_hashes(original_sha256, variants))
  CREATE INDEX media_of_event ON media USING btree (event_id, original_sha256)
  CREATE INDEX media_of_live ON media USING btree (event_id, (((variants -> 'live'::text) ->> 'sha256'::text))) WHERE (((variants -> 'live'::text) ->> 'sha256'::text) IS NOT NULL)
  CREATE INDEX media_of_raw ON media USING btree (event_id, (((variants -> 'raw'::text) ->> 'sha256'::text))) WHERE (((variants -> 'raw'::text) ->> 'sha256'::text) IS NOT NULL)
  CREATE INDEX media_of_upload ON media USING btree (event_id, upload_sha256) WHERE (upload_sha256 IS NOT NULL)
  CREATE INDEX media_to_give_up ON media USING btree (removed_at) WHERE ((removed_at IS NOT NULL) AND (given_up_at IS NULL))
  CREATE INDEX media_unread ON media USING btree (id) WHERE ((full_size IS NULL) AND (removed_at IS NULL))
  CREATE TRIGGER media_repeat_epoch AFTER UPDATE OF epoch ON media FOR EACH ROW EXECUTE FUNCTION repeat_media_epoch()
  CREATE UNIQUE INDEX media_pkey ON media USING btree (id)
  constraint media_check CHECK (((latitude IS NULL) = (longitude IS NULL)))
  constraint media_counted TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint media_counted_anew TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint media_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint media_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
  constraint media_pkey PRIMARY KEY (id)

table message_reactions (
  id bigint not null identity,
  message_id bigint not null,
  user_id bigint not null,
  emoji text not null,
  created_at timestamp with time zone not null default clock_timestamp()
)
  CREATE INDEX message_reactions_of_user ON message_reactions USING btree (user_id, message_id)
  CREATE UNIQUE INDEX message_reactions_pkey ON message_reactions USING btree (message_id, user_id, emoji)
  constraint message_reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id)
  constraint message_reactions_pkey PRIMARY KEY (message_id, user_id, emoji)

table messages (
  id bigint not null identity,
  group_chat_id bigint not null,
  sequence bigint not null,
  user_id bigint not null,
  reply_to_id bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  attachments_count smallint not null default 0,
  content text not null,
  reactions jsonb,
  hidden_at timestamp with time zone,
  client_key bytea,
  client_fingerprint bytea,
  card text
)
  CREATE INDEX messages_uncounted ON messages USING btree (group_chat_id, sequence) WHERE ((deleted_at IS NOT NULL) OR (hidden_at IS NOT NULL))
  CREATE INDEX messages_words ON messages USING gin (message_terms(group_chat_id, sequence, content)) WITH (gin_pending_list_limit='2048') WHERE (deleted_at IS NULL)
  CREATE TRIGGER messages_remove_poll AFTER UPDATE OF deleted_at ON messages FOR EACH ROW WHEN (((old.card IS NOT NULL) AND (old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION remove_poll()
  CREATE UNIQUE INDEX messages_client_key ON messages USING btree (user_id, client_key) WHERE (client_key IS NOT NULL)
  CREATE UNIQUE INDEX messages_group_chat_id_sequence_key ON messages USING btree (group_chat_id, sequence)
  CREATE UNIQUE INDEX messages_pkey ON messages USING btree (id)
  constraint messages_group_chat_id_sequence_key UNIQUE (group_chat_id, sequence)
  constraint messages_pkey PRIMARY KEY (id)
  constraint messages_reply_to_id_fkey FOREIGN KEY (reply_to_id) REFERENCES messages(id)

table migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)
  constraint migrations_pkey PRIMARY KEY (name)

table moved_emails (
  user_id bigint not null,
  email_before text not null,
  proven boolean not null,
  moved_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX moved_emails_pkey ON moved_emails USING btree (user_id)
  constraint moved_emails_pkey PRIMARY KEY (user_id)
  constraint moved_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table notification_settings (
  user_id bigint not null,
  muted_until timestamp with time zone,
  quiet_from smallint,
  quiet_until smallint,
  rings_per_hour smallint,
  mails_digest boolean not null default true
)
  CREATE UNIQUE INDEX notification_settings_pkey ON notification_settings USING btree (user_id)
  constraint notification_settings_check CHECK (((quiet_from IS NULL) = (quiet_until IS NULL)))
  constraint notification_settings_pkey PRIMARY KEY (user_id)
  constraint notification_settings_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439)))
  constraint notification_settings_quiet_until_check CHECK (((quiet_until >= 0) AND (quiet_until <= 1439)))
  constraint notification_settings_rings_per_hour_check CHECK (((rings_per_hour >= 0) AND (rings_per_hour <= 60)))
  constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table notifications (
  id bigint not null identity,
  user_id bigint not null,
  kind text not null,
  actor_id bigint not null,
  event_id bigint,
  subject_id bigint,
  tag text not null,
  title text,
  body text,
  link text not null,
  count integer not null default 1,
  reasons jsonb not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  ring_at timestamp with time zone,
  ring_change_id bigint,
  rung_at timestamp with time zone,
  read_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  text_values jsonb,
  folded_at timestamp with time zone,
  updated_hour timestamp with time zone not null generated as date_bin('01:00:00'::interval, updated_at, '1970-01-01 00:00:00+00'::timestamp with time zone),
  read_subject_id bigint generated as 
CASE
    WHEN (read_at IS NOT NULL) THEN subject_id
    ELSE NULL::bigint
END,
  ring_by bigint[] not null default '{}'::bigint[],
  rung_by bigint[] not null default '{}'::bigint[]
)
  CREATE INDEX notifications_event ON notifications USING btree (event_id, read_subject_id) WHERE (withdrawn_at IS NULL)
  CREATE INDEX notifications_newest ON notifications USING btree (user_id, updated_hour DESC)
  CREATE INDEX notifications_tagged ON notifications USING btree (event_id, tag) WHERE (withdrawn_at IS NULL)
  CREATE INDEX notifications_updated_hour ON notifications USING btree (updated_hour)
  CREATE UNIQUE INDEX notifications_burst ON notifications USING btree (user_id, tag) WHERE ((read_at IS NULL) AND (withdrawn_at IS NULL))
  CREATE UNIQUE INDEX notifications_pkey ON notifications USING btree (id)
  constraint notifications_pkey PRIMARY KEY (id)
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table photo_decisions (
  id bigint not null identity,
  event_id bigint not null,
  user_id bigint not null,
  refused boolean not null,
  album_ids bigint[] not null,
  wall_ids bigint[] not null,
  decided_at timestamp with time zone not null default now(),
  words jsonb not null default '[]'::jsonb
)
  CREATE INDEX photo_decisions_by_age ON photo_decisions USING btree (decided_at)
  CREATE INDEX photo_decisions_by_event ON photo_decisions USING btree (event_id)
  CREATE INDEX photo_decisions_by_user ON photo_decisions USING btree (user_id)
  CREATE UNIQUE INDEX photo_decisions_pkey ON photo_decisions USING btree (id)
  constraint photo_decisions_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint photo_decisions_pkey PRIMARY KEY (id)
  constraint photo_decisions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table photo_likes (
  photo_id bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default clock_timestamp()
)
  CREATE INDEX photo_likes_in_order ON photo_likes USING btree (photo_id, created_at DESC, user_id DESC)
  CREATE INDEX photo_likes_of_user ON photo_likes USING btree (user_id, photo_id)
  CREATE UNIQUE INDEX photo_likes_pkey ON photo_likes USING btree (photo_id, user_id)
  constraint photo_likes_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES photos(id)
  constraint photo_likes_pkey PRIMARY KEY (photo_id, user_id)
  constraint photo_likes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table photo_quarters (
  event_id bigint not null,
  quarter bigint not null,
  photos integer not null
)
  CREATE UNIQUE INDEX photo_quarters_pkey ON photo_quarters USING btree (event_id, quarter)
  constraint photo_quarters_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint photo_quarters_pkey PRIMARY KEY (event_id, quarter)

table photos (
  id bigint not null identity,
  event_id bigint not null,
  sequence bigint not null,
  media_id bigint not null,
  taken_by bigint not null,
  attachment_id bigint,
  shares_media boolean not null default false,
  caption text,
  alt_text text,
  likes_count integer not null default 0,
  comments_count integer not null default 0,
  last_comment_sequence bigint not null default 0,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  deleted_at timestamp with time zone,
  moment timestamp with time zone not null default clock_timestamp(),
  look bit(128),
  same_as bigint,
  plays boolean not null default false,
  hidden_at timestamp with time zone,
  picture_epoch integer not null default 0,
  taken_down boolean not null default false,
  endings text not null default 'jpg jpg'::text,
  waits boolean not null default false,
  sealed_from text,
  by_photographer boolean not null default false,
  off_wall boolean not null default false,
  new_words jsonb,
  approved_name jsonb
)
  CREATE INDEX photos_by_moment ON photos USING btree (event_id, moment, id) WHERE (deleted_at IS NULL)
  CREATE INDEX photos_deleted ON photos USING btree (event_id, deleted_at DESC, id DESC) WHERE (deleted_at IS NOT NULL)
  CREATE INDEX photos_doubles ON photos USING btree (same_as) WHERE (same_as IS NOT NULL)
  CREATE INDEX photos_hidden ON photos USING btree (event_id, sequence) WHERE ((hidden_at IS NOT NULL) AND (deleted_at IS NULL))
  CREATE INDEX photos_looks ON photos USING btree (event_id, id) INCLUDE (look) WHERE ((deleted_at IS NULL) AND (look IS NOT NULL))
  CREATE INDEX photos_of_media ON photos USING btree (media_id)
  CREATE INDEX photos_sealed ON photos USING btree (event_id) WHERE (sealed_from IS NOT NULL)
  CREATE INDEX photos_waiting ON photos USING btree (event_id, sequence) WHERE ((waits OR (new_words IS NOT NULL)) AND (deleted_at IS NULL))
  CREATE UNIQUE INDEX photos_attachment ON photos USING btree (attachment_id) WHERE ((deleted_at IS NULL) AND (attachment_id IS NOT NULL))
  CREATE UNIQUE INDEX photos_in_order ON photos USING btree (event_id, sequence) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX photos_of_person ON photos USING btree (event_id, taken_by, sequence) WHERE (deleted_at IS NULL)
  CREATE UNIQUE INDEX photos_pkey ON photos USING btree (id)
  constraint photos_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES attachments(id)
  constraint photos_check CHECK (((attachment_id IS NOT NULL) OR (NOT shares_media)))
  constraint photos_check1 CHECK (((NOT off_wall) OR waits))
  constraint photos_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint photos_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id)
  constraint photos_pkey PRIMARY KEY (id)
  constraint photos_same_as_fkey FOREIGN KEY (same_as) REFERENCES photos(id)
  constraint photos_sealed_from_check CHECK ((sealed_from = ANY (ARRAY['guests'::text, 'everybody'::text])))
  constraint photos_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES users(id)

table poll_votes (
  message_id bigint not null,
  choice integer not null,
  user_id bigint not null,
  voted_at timestamp with time zone not null default now()
)
  CREATE INDEX poll_votes_of_user ON poll_votes USING btree (user_id)
  CREATE UNIQUE INDEX poll_votes_pkey ON poll_votes USING btree (message_id, choice, user_id)
  constraint poll_votes_message_id_fkey FOREIGN KEY (message_id) REFERENCES polls(message_id) ON DELETE CASCADE
  constraint poll_votes_pkey PRIMARY KEY (message_id, choice, user_id)
  constraint poll_votes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table polls (
  message_id bigint not null,
  choices text[] not null,
  multiple boolean not null,
  anonymous boolean not null,
  closes_at timestamp with time zone
)
  CREATE UNIQUE INDEX polls_pkey ON polls USING btree (message_id)
  constraint polls_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
  constraint polls_pkey PRIMARY KEY (message_id)

table processes (
  name text not null,
  version text not null,
  newest_migration text not null,
  host text not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX processes_pkey ON processes USING btree (name)
  constraint processes_pkey PRIMARY KEY (name)

table programme_entries (
  event_id bigint not null,
  "position" integer not null,
  starts_after_ms bigint not null,
  ends_after_ms bigint,
  title text not null,
  place text
)
  CREATE UNIQUE INDEX programme_entries_pkey ON programme_entries USING btree (event_id, "position")
  constraint programme_entries_check CHECK ((ends_after_ms > starts_after_ms))
  constraint programme_entries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint programme_entries_pkey PRIMARY KEY (event_id, "position")

table provider_flows (
  state_hash bytea not null,
  type integer not null,
  nonce text not null,
  code_verifier text not null,
  redirect_uri text not null,
  return_to text not null,
  challenge bytea not null,
  expires_at timestamp with time zone not null
)
  CREATE INDEX provider_flows_expires_at ON provider_flows USING btree (expires_at)
  CREATE UNIQUE INDEX provider_flows_pkey ON provider_flows USING btree (state_hash)
  constraint provider_flows_pkey PRIMARY KEY (state_hash)

table provider_proofs (
  code_hash bytea not null,
  challenge bytea not null,
  type integer not null,
  issuer text not null,
  subject text not null,
  email text,
  vouched boolean not null,
  first_name text,
  last_name text,
  expires_at timestamp with time zone not null
)
  CREATE INDEX provider_proofs_expires_at ON provider_proofs USING btree (expires_at)
  CREATE UNIQUE INDEX provider_proofs_pkey ON provider_proofs USING btree (code_hash)
  constraint provider_proofs_pkey PRIMARY KEY (code_hash)

table push_addresses (
  device_row bigint not null,
  address jsonb not null,
  fingerprint bytea not null,
  updated_at timestamp with time zone not null default now(),
  silences smallint not null default 0,
  silent_since timestamp with time zone,
  rests_until timestamp with time zone,
  clears_at timestamp with time zone,
  cleared_at timestamp with time zone
)
  CREATE UNIQUE INDEX push_addresses_fingerprint_key ON push_addresses USING btree (fingerprint)
  CREATE UNIQUE INDEX push_addresses_pkey ON push_addresses USING btree (device_row)
  constraint push_addresses_device_row_fkey FOREIGN KEY (device_row) REFERENCES devices(id) ON DELETE CASCADE
  constraint push_addresses_fingerprint_key UNIQUE (fingerprint)
  constraint push_addresses_pkey PRIMARY KEY (device_row)

table removed_files (
  sha256 text not null,
  removed_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX removed_files_pkey ON removed_files USING btree (sha256)
  constraint removed_files_pkey PRIMARY KEY (sha256)

table reports (
  id bigint not null identity,
  reporter_id bigint not null,
  type text not null,
  target_id bigint not null,
  event_id bigint,
  reason text not null,
  status text not null default 'open'::text,
  created_at timestamp with time zone not null default now(),
  about_user_id bigint,
  resolved_by bigint,
  resolved_at timestamp with time zone,
  photo_id bigint
)
  CREATE INDEX reports_of_event ON reports USING btree (event_id, id DESC) WHERE (type <> 'event'::text)
  CREATE INDEX reports_open ON reports USING btree (id DESC) WHERE (status = 'open'::text)
  CREATE UNIQUE INDEX reports_pkey ON reports USING btree (id)
  constraint reports_about_user_id_fkey FOREIGN KEY (about_user_id) REFERENCES users(id)
  constraint reports_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint reports_pkey PRIMARY KEY (id)
  constraint reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id)
  constraint reports_resolved_by_fkey FOREIGN KEY (resolved_by) REFERENCES users(id)
  constraint reports_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text])))
  constraint reports_type_check CHECK ((type = ANY (ARRAY['user'::text, 'event'::text, 'message'::text, 'photo'::text, 'comment'::text])))

table return_keys (
  user_id bigint not null,
  device_id text not null,
  event_id bigint not null,
  key_hash bytea not null,
  let_in_by bigint,
  let_in_event bigint
)
  CREATE INDEX return_keys_by_key ON return_keys USING btree (key_hash)
  CREATE INDEX return_keys_event ON return_keys USING btree (event_id)
  CREATE INDEX return_keys_let_in_by ON return_keys USING btree (let_in_by) WHERE (let_in_by IS NOT NULL)
  CREATE INDEX return_keys_let_in_event ON return_keys USING btree (let_in_event) WHERE (let_in_event IS NOT NULL)
  CREATE UNIQUE INDEX return_keys_pkey ON return_keys USING btree (user_id, device_id)
  constraint return_keys_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint return_keys_let_in_by_fkey FOREIGN KEY (let_in_by) REFERENCES users(id) ON DELETE CASCADE
  constraint return_keys_let_in_event_fkey FOREIGN KEY (let_in_event) REFERENCES events(id) ON DELETE CASCADE
  constraint return_keys_pkey PRIMARY KEY (user_id, device_id)
  constraint return_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table return_requests (
  id bigint not null identity,
  event_id bigint not null,
  first_name text not null,
  last_name text not null,
  platform text not null,
  code_hash bytea not null,
  asked_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  status text not null default 'asked'::text,
  user_id bigint,
  answered_by bigint,
  device_id text,
  asked_by bigint,
  claims boolean not null default false
)
  CREATE INDEX return_requests_answered_by ON return_requests USING btree (answered_by)
  CREATE INDEX return_requests_asked ON return_requests USING btree (event_id, id) WHERE (status = 'asked'::text)
  CREATE INDEX return_requests_asked_by ON return_requests USING btree (asked_by) WHERE (asked_by IS NOT NULL)
  CREATE INDEX return_requests_ending ON return_requests USING btree (expires_at)
  CREATE INDEX return_requests_user ON return_requests USING btree (user_id)
  CREATE UNIQUE INDEX return_requests_code_hash_key ON return_requests USING btree (code_hash)
  CREATE UNIQUE INDEX return_requests_pkey ON return_requests USING btree (id)
  constraint return_requests_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES users(id) ON DELETE CASCADE
  constraint return_requests_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id) ON DELETE CASCADE
  constraint return_requests_code_hash_key UNIQUE (code_hash)
  constraint return_requests_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint return_requests_pkey PRIMARY KEY (id)
  constraint return_requests_status_check CHECK ((status = ANY (ARRAY['asked'::text, 'let_in'::text, 'refused'::text])))
  constraint return_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table ring_budgets (
  user_id bigint not null,
  rung_at bigint[] not null default '{}'::bigint[],
  waiting bigint[] not null default '{}'::bigint[],
  roll_at timestamp with time zone,
  rolled_at timestamp with time zone,
  stranger_rung_at bigint,
  rung_by text[] not null default '{}'::text[]
)
  CREATE UNIQUE INDEX ring_budgets_pkey ON ring_budgets USING btree (user_id)
  constraint ring_budgets_pkey PRIMARY KEY (user_id)
  constraint ring_budgets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table seen_marks (
  group_chat_id bigint not null,
  user_id bigint not null,
  seen_sequence bigint not null,
  seen_at timestamp with time zone not null default now()
)
  CREATE INDEX seen_marks_furthest ON seen_marks USING btree (group_chat_id, seen_sequence DESC, user_id)
  CREATE UNIQUE INDEX seen_marks_pkey ON seen_marks USING btree (group_chat_id, user_id)
  constraint seen_marks_pkey PRIMARY KEY (group_chat_id, user_id)

table sequence_gaps (
  list text not null,
  parent_id bigint not null,
  block bigint not null,
  gaps integer not null
)
  CREATE UNIQUE INDEX sequence_gaps_pkey ON sequence_gaps USING btree (list, parent_id, block)
  constraint sequence_gaps_pkey PRIMARY KEY (list, parent_id, block)

table storage_reports (
  id bigint not null identity,
  kind text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone not null default now(),
  report jsonb not null
)
  CREATE INDEX storage_reports_latest ON storage_reports USING btree (kind, id DESC)
  CREATE UNIQUE INDEX storage_reports_pkey ON storage_reports USING btree (id)
  constraint storage_reports_kind_check CHECK ((kind = ANY (ARRAY['sweep'::text, 'scrub'::text])))
  constraint storage_reports_pkey PRIMARY KEY (id)

table stored_bytes (
  user_id bigint not null,
  bytes bigint not null
)
  CREATE UNIQUE INDEX stored_bytes_pkey ON stored_bytes USING btree (user_id)
  constraint stored_bytes_pkey PRIMARY KEY (user_id)

table told_moments (
  event_id bigint not null,
  kind text not null,
  moment timestamp with time zone not null,
  told_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX told_moments_pkey ON told_moments USING btree (event_id, kind, moment)
  constraint told_moments_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint told_moments_kind_check CHECK ((kind = ANY (ARRAY['day'::text, 'hours'::text, 'recap'::text, 'wanted'::text])))
  constraint told_moments_pkey PRIMARY KEY (event_id, kind, moment)

table unnotified_changes (
  change_id bigint not null,
  tries smallint not null default 0,
  due_at timestamp with time zone not null default now()
)
  CREATE UNIQUE INDEX unnotified_changes_pkey ON unnotified_changes USING btree (change_id)
  constraint unnotified_changes_change_id_fkey FOREIGN KEY (change_id) REFERENCES changes(id) ON DELETE CASCADE
  constraint unnotified_changes_pkey PRIMARY KEY (change_id)

table untold_photos (
  photo_id bigint not null,
  event_id bigint not null,
  told_at_once boolean not null default false,
  added_at timestamp with time zone not null
)
  CREATE INDEX untold_photos_event ON untold_photos USING btree (event_id)
  CREATE UNIQUE INDEX untold_photos_pkey ON untold_photos USING btree (photo_id)
  constraint untold_photos_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint untold_photos_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE
  constraint untold_photos_pkey PRIMARY KEY (photo_id)

table upload_parts (
  session_id uuid not null,
  start bigint not null,
  bytes bigint not null,
  sha256 text not null
)
  CREATE INDEX upload_parts_files ON upload_parts USING btree (sha256)
  CREATE UNIQUE INDEX upload_parts_pkey ON upload_parts USING btree (session_id, start)
  constraint upload_parts_pkey PRIMARY KEY (session_id, start)
  constraint upload_parts_session_id_fkey FOREIGN KEY (session_id) REFERENCES upload_sessions(id) ON DELETE CASCADE

table upload_sessions (
  id uuid not null,
  event_id bigint not null,
  user_id bigint not null,
  kind text not null,
  filename text,
  bytes bigint not null,
  sha256 text,
  received bigint not null default 0,
  photo_id bigint,
  created_at timestamp with time zone not null default now(),
  touched_at timestamp with time zone not null default now(),
  content_sha256 text,
  used_at timestamp with time zone
)
  CREATE CONSTRAINT TRIGGER sessions_counted AFTER INSERT OR DELETE ON upload_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_session()
  CREATE CONSTRAINT TRIGGER sessions_counted_anew AFTER UPDATE ON upload_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.used_at IS NULL) <> (new.used_at IS NULL)) OR (old.received <> new.received))) EXECUTE FUNCTION count_session()
  CREATE INDEX upload_sessions_over ON upload_sessions USING btree (touched_at)
  CREATE INDEX upload_sessions_waiting ON upload_sessions USING btree (event_id, user_id) WHERE (used_at IS NULL)
  CREATE UNIQUE INDEX upload_sessions_pkey ON upload_sessions USING btree (id)
  constraint sessions_counted TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint sessions_counted_anew TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint upload_sessions_bytes_check CHECK ((bytes > 0))
  constraint upload_sessions_check CHECK (((received >= 0) AND (received <= bytes)))
  constraint upload_sessions_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id)
  constraint upload_sessions_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'video'::text, 'raw'::text, 'live'::text])))
  constraint upload_sessions_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES photos(id)
  constraint upload_sessions_pkey PRIMARY KEY (id)
  constraint upload_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)

table user_words (
  user_id bigint not null,
  lead text not null,
  other text not null
)
  CREATE INDEX user_words_found ON user_words USING btree (lead, other, user_id)
  CREATE TRIGGER user_words_forget AFTER DELETE ON user_words REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_words()
  CREATE TRIGGER user_words_learn AFTER INSERT ON user_words REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words()
  CREATE UNIQUE INDEX user_words_pkey ON user_words USING btree (user_id, lead, other)
  constraint user_words_pkey PRIMARY KEY (user_id, lead, other)
  constraint user_words_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

table users (
  id bigint not null identity,
  first_name text not null,
  middle_name text,
  last_name text not null,
  username text not null,
  email text not null,
  visible boolean not null default true,
  status smallint not null default 2,
  timezone text not null,
  password_hash text,
  mutes_notifications boolean not null default false,
  plan_title text not null default 'Free'::text,
  plan_pricing double precision not null default 0,
  plan_expires_at timestamp with time zone not null default '9999-12-31 23:59:59+00'::timestamp with time zone,
  avatar_media_id bigint,
  staged_avatar_media_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  operator boolean not null default false,
  status_before smallint,
  erase_at timestamp with time zone,
  erased_at timestamp with time zone,
  erases_content boolean not null default false,
  link_epoch integer not null default 0,
  language text,
  hides_seen boolean not null default false,
  avatar_ending text not null default 'jpg'::text,
  came_by bigint,
  came_to_add boolean not null default false,
  added_to bigint
)
  CREATE INDEX users_added ON users USING btree (added_to) WHERE (added_to IS NOT NULL)
  CREATE INDEX users_came_by ON users USING btree (came_by) WHERE (came_by IS NOT NULL)
  CREATE INDEX users_hiding_seen ON users USING btree (id) WHERE hides_seen
  CREATE INDEX users_operators ON users USING btree (id) WHERE operator
  CREATE INDEX users_to_erase ON users USING btree (erase_at) WHERE ((erase_at IS NOT NULL) AND (erased_at IS NULL))
  CREATE TRIGGER users_avatar_ending BEFORE INSERT OR UPDATE OF avatar_media_id ON users FOR EACH ROW WHEN ((new.avatar_media_id IS NOT NULL)) EXECUTE FUNCTION note_avatar_ending()
  CREATE TRIGGER users_end_let_ins AFTER UPDATE OF status ON users FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION end_let_ins_of_user()
  CREATE TRIGGER users_end_links AFTER UPDATE OF link_epoch ON users FOR EACH ROW WHEN (((old.link_epoch <> new.link_epoch) AND (new.status = 3))) EXECUTE FUNCTION end_links_of_events()
  CREATE TRIGGER users_free_seats AFTER UPDATE OF status ON users FOR EACH ROW WHEN (((old.status = 4) <> (new.status = 4))) EXECUTE FUNCTION free_seats_of_user()
  CREATE TRIGGER users_keep_approved_names AFTER UPDATE OF first_name, middle_name, last_name ON users FOR EACH ROW WHEN ((((old.first_name IS DISTINCT FROM new.first_name) OR (old.middle_name IS DISTINCT FROM new.middle_name)) OR (old.last_name IS DISTINCT FROM new.last_name))) EXECUTE FUNCTION keep_approved_names()
  CREATE TRIGGER users_rewrite_words AFTER UPDATE OF first_name, middle_name, last_name, username, visible, status ON users FOR EACH ROW WHEN (((((((old.first_name IS DISTINCT FROM new.first_name) OR (old.middle_name IS DISTINCT FROM new.middle_name)) OR (old.last_name IS DISTINCT FROM new.last_name)) OR (old.username IS DISTINCT FROM new.username)) OR (old.visible IS DISTINCT FROM new.visible)) OR ((old.status = ANY (ARRAY[3, 4])) IS DISTINCT FROM (new.status = ANY (ARRAY[3, 4]))))) EXECUTE FUNCTION rewrite_words()
  CREATE TRIGGER users_suspended AFTER UPDATE OF status ON users FOR EACH ROW WHEN (((new.status = 3) AND (old.status <> 3))) EXECUTE FUNCTION tell_suspended()
  CREATE TRIGGER users_tell_links_ended AFTER UPDATE OF link_epoch ON users FOR EACH ROW WHEN ((old.link_epoch <> new.link_epoch)) EXECUTE FUNCTION tell_links_ended()
  CREATE TRIGGER users_write_words AFTER INSERT ON users REFERENCING NEW TABLE AS newcomers FOR EACH STATEMENT EXECUTE FUNCTION write_words()
  CREATE UNIQUE INDEX users_email_key ON users USING btree (lower(email))
  CREATE UNIQUE INDEX users_pkey ON users USING btree (id)
  CREATE UNIQUE INDEX users_username_key ON users USING btree (lower(username))
  constraint users_added_to_fkey FOREIGN KEY (added_to) REFERENCES events(id)
  constraint users_avatar_media_id_fkey FOREIGN KEY (avatar_media_id) REFERENCES media(id)
  constraint users_pkey PRIMARY KEY (id)
  constraint users_staged_avatar_media_id_fkey FOREIGN KEY (staged_avatar_media_id) REFERENCES media(id)
  constraint users_status_before_check CHECK ((status_before = ANY (ARRAY[1, 2, 5])))
  constraint users_status_check CHECK (((status >= 1) AND (status <= 6)))

table videos (
  media_id bigint not null,
  original_sha256 text not null,
  original_bytes bigint not null,
  original_type text not null,
  state text not null default 'waiting'::text,
  progress integer not null default 0,
  tries integer not null default 0,
  duration_ms bigint,
  fault text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  faults integer not null default 0,
  turn integer not null default 0
)
  CREATE CONSTRAINT TRIGGER films_counted AFTER INSERT OR DELETE ON videos DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_film()
  CREATE CONSTRAINT TRIGGER films_counted_anew AFTER UPDATE ON videos DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.original_bytes <> new.original_bytes)) EXECUTE FUNCTION count_film()
  CREATE INDEX videos_files ON videos USING gin ((ARRAY[original_sha256]))
  CREATE INDEX videos_originals ON videos USING btree (original_sha256)
  CREATE INDEX videos_pending ON videos USING btree (turn) WHERE (state = ANY (ARRAY['waiting'::text, 'converting'::text]))
  CREATE UNIQUE INDEX videos_pkey ON videos USING btree (media_id)
  constraint films_counted TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint films_counted_anew TRIGGER DEFERRABLE INITIALLY DEFERRED
  constraint videos_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id)
  constraint videos_pkey PRIMARY KEY (media_id)
  constraint videos_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'converting'::text, 'ready'::text, 'failed'::text])))

table wall_photos (
  photo_id bigint not null,
  event_id bigint not null,
  hidden boolean not null
)
  CREATE INDEX wall_photos_of_event ON wall_photos USING btree (event_id, photo_id)
  CREATE UNIQUE INDEX wall_photos_pkey ON wall_photos USING btree (photo_id)
  constraint wall_photos_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint wall_photos_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE
  constraint wall_photos_pkey PRIMARY KEY (photo_id)

table walls (
  event_id bigint not null,
  layout text not null,
  seconds integer not null,
  photos text not null,
  paused boolean not null,
  turn integer not null,
  shown_photo_id bigint,
  on_wall bigint[] not null default '{}'::bigint[],
  on_wall_at timestamp with time zone
)
  CREATE UNIQUE INDEX walls_pkey ON walls USING btree (event_id)
  constraint walls_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint walls_layout_check CHECK ((layout = ANY (ARRAY['one'::text, 'pairs'::text, 'mosaic'::text])))
  constraint walls_photos_check CHECK ((photos = ANY (ARRAY['all'::text, 'liked'::text, 'chosen'::text])))
  constraint walls_pkey PRIMARY KEY (event_id)
  constraint walls_seconds_check CHECK (((seconds >= 3) AND (seconds <= 120)))

table webhook_deliveries (
  id bigint not null identity,
  webhook_id bigint not null,
  name uuid not null default gen_random_uuid(),
  kind text not null,
  event_id bigint,
  subject_id bigint,
  actor_id bigint,
  happened_at timestamp with time zone not null,
  status text not null default 'waiting'::text,
  tries jsonb not null default '[]'::jsonb,
  first_tried_at timestamp with time zone,
  due_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now()
)
  CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING btree (created_at)
  CREATE INDEX webhook_deliveries_resting ON webhook_deliveries USING btree (webhook_id, due_at) WHERE (status = 'waiting'::text)
  CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, id) WHERE (status = 'waiting'::text)
  CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, id DESC)
  CREATE UNIQUE INDEX webhook_deliveries_pkey ON webhook_deliveries USING btree (id)
  constraint webhook_deliveries_pkey PRIMARY KEY (id)
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dropped'::text])))
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE

table webhook_trickles (
  host text not null,
  hour timestamp with time zone not null,
  sent integer not null
)
  CREATE INDEX webhook_trickles_hour ON webhook_trickles USING btree (hour)
  CREATE UNIQUE INDEX webhook_trickles_pkey ON webhook_trickles USING btree (host)
  constraint webhook_trickles_pkey PRIMARY KEY (host)

table webhooks (
  id bigint not null identity,
  event_id bigint,
  url text not null,
  kinds text[] not null,
  nonce bytea not null,
  previous_nonce bytea,
  previous_until timestamp with time zone,
  status text not null default 'on'::text,
  taken_to bigint not null,
  created_at timestamp with time zone not null default now(),
  made_by bigint,
  consented_at timestamp with time zone
)
  CREATE INDEX webhooks_event ON webhooks USING btree (event_id, id DESC)
  CREATE INDEX webhooks_made_by ON webhooks USING btree (made_by)
  CREATE UNIQUE INDEX webhooks_pkey ON webhooks USING btree (id)
  CREATE UNIQUE INDEX webhooks_url ON webhooks USING btree (COALESCE(event_id, (0)::bigint), md5(url)) WHERE (url <> ''::text)
  constraint webhooks_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
  constraint webhooks_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id)
  constraint webhooks_pkey PRIMARY KEY (id)
  constraint webhooks_status_check CHECK ((status = ANY (ARRAY['on'::text, 'off'::text])))

view blocked_pairs as
 SELECT blocks.blocker_id AS user_id,
    blocks.blocked_id AS other_id
   FROM blocks
UNION ALL
 SELECT blocks.blocked_id AS user_id,
    blocks.blocker_id AS other_id
   FROM blocks;

view members as
 SELECT event_id,
    user_id,
    role,
    joined_at,
    joined_sequence,
    photos_count,
    photos_max,
    trusted
   FROM guests
  WHERE ((ended_at IS NULL) AND (role <> 'drop'::text));

view seats as
 SELECT guests.event_id,
    guests.user_id,
    guests.role,
    guests.joined_sequence
   FROM guests
  WHERE (guests.ended_at IS NULL)
UNION ALL
 SELECT event_links.event_id,
    event_links.viewer_id AS user_id,
    event_links.role,
    '9007199254740991'::bigint AS joined_sequence
   FROM event_links
  WHERE ((event_links.viewer_id IS NOT NULL) AND (event_links.revoked_at IS NULL) AND COALESCE((event_links.expires_at > now()), true));

view standings as
 SELECT seats.event_id,
    seats.user_id,
    seats.role AS standing
   FROM seats
UNION ALL
 SELECT r.event_id,
    r.user_id,
    'asked'::text AS standing
   FROM join_requests r
  WHERE ((r.status = 'asked'::text) AND (NOT (EXISTS ( SELECT
           FROM guests g
          WHERE ((g.event_id = r.event_id) AND (g.user_id = r.user_id) AND (g.ended_at IS NULL))))))
UNION ALL
 SELECT i.event_id,
    i.user_id,
    'invited'::text AS standing
   FROM invitations i
  WHERE ((i.status = 'open'::text) AND (NOT (EXISTS ( SELECT
           FROM guests g
          WHERE ((g.event_id = i.event_id) AND (g.user_id = i.user_id) AND (g.ended_at IS NULL))))) AND (NOT (EXISTS ( SELECT
           FROM join_requests r
          WHERE ((r.event_id = i.event_id) AND (r.user_id = i.user_id) AND (r.status = 'asked'::text))))))
UNION ALL
 SELECT g.event_id,
    g.user_id,
    'removed'::text AS standing
   FROM guests g
  WHERE ((g.ended_at IS NOT NULL) AND g.removed AND (NOT (EXISTS ( SELECT
           FROM join_requests r
          WHERE ((r.event_id = g.event_id) AND (r.user_id = g.user_id) AND (r.status = 'asked'::text))))) AND (NOT (EXISTS ( SELECT
           FROM invitations i
          WHERE ((i.event_id = g.event_id) AND (i.user_id = g.user_id) AND (i.status = 'open'::text))))));

CREATE OR REPLACE FUNCTION public.add_stored_bytes(whose bigint, more bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if more = 0 then return; end if;
  -- That of all is locked first, always.
  insert into stored_bytes as s (user_id, bytes) values (0, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
  insert into stored_bytes as s (user_id, bytes) values (whose, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
end $function$

CREATE OR REPLACE FUNCTION public.add_stored_bytes(whose bigint, more bigint, arrived bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if more = 0 and arrived = 0 then return; end if;
  -- That of all is locked first, always.
  insert into stored_bytes as s (user_id, bytes) values (0, arrived)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
  insert into stored_bytes as s (user_id, bytes) values (whose, more)
    on conflict (user_id) do update set bytes = s.bytes + excluded.bytes;
end $function$

CREATE OR REPLACE FUNCTION public.answered_for(event bigint, answered timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select former.starts_at from events e cross join lateral (
    select m.starts_at from event_moves m where m.event_id = e.id and m.moved_at > answered order by m.moved_at limit 1
  ) former
  where e.id = event
    and (former.starts_at at time zone e.timezone)::date <> (e.starts_at at time zone e.timezone)::date
$function$

CREATE OR REPLACE FUNCTION public.begin_history(known text)
 RETURNS void
 LANGUAGE sql
AS $function$
  update change_log l
  set history = default, written_at = writing_place(l.tableoid) where l.history = known;
  -- Of another cluster, transaction ids mean nothing here.
  update changes set settled_before = null where place = last_place();
$function$

CREATE OR REPLACE FUNCTION public.bring_answers_back(event bigint, guests bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  free bigint;
  kept answers_away;
  fits boolean;
begin
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  for kept in
    select * from answers_away k where k.event_id = event and k.user_id = any(guests)
    order by k.seated desc, k.line, k.answered_at, k.user_id
  loop
    fits := kept.answer = 'going' and coalesce(1 + kept.plus <= free, true);
    insert into answers (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
    values (event, kept.user_id, kept.answer, kept.plus, kept.plus_names, kept.note, fits,
      case when kept.answer = 'going' and not fits
        then (select coalesce(max(a.line), 0) + 1 from answers a where a.event_id = event) end, kept.answered_at)
    on conflict do nothing;
    if fits then free := free - 1 - kept.plus; end if;
  end loop;
  delete from answers_away k where k.event_id = event and k.user_id = any(guests);
end $function$

CREATE OR REPLACE FUNCTION public.bring_marks_back(event bigint, people bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  back marks_away[];
begin
  perform from group_chats where event_id = event for no key update;
  with taken as (
    delete from marks_away m where m.event_id = event and m.user_id = any(people) returning m
  )
  select array_agg(m) into back from taken;
  if back is null then return; end if;
  perform from photos where id in (select (m.given ->> 'photo_id')::bigint from unnest(back) m) order by id for no key update;
  perform from comments where id in (select (m.given ->> 'comment_id')::bigint from unnest(back) m) order by id for no key update;
  insert into photo_likes select r.* from unnest(back) m, jsonb_populate_record(null::photo_likes, m.given) r
  where m.mark = 'photo_likes' and exists (select from photos p where p.id = r.photo_id) on conflict do nothing;
  with returned as (
    insert into comment_reactions overriding system value
    select r.* from unnest(back) m, jsonb_populate_record(null::comment_reactions, m.given) r
    where m.mark = 'comment_reactions' and exists (
      select from comments c where c.id = r.comment_id and c.deleted_at is null) on conflict do nothing
    returning comment_id, sequence
  )
  update sequence_gaps g set gaps = g.gaps - n.filled
  from (select comment_id, (sequence - 1) / 512 as block, count(*) as filled from returned group by 1, 2) n
  where g.list = 'comment reactions' and g.parent_id = n.comment_id and g.block = n.block;
  insert into message_reactions overriding system value
  select r.* from unnest(back) m, jsonb_populate_record(null::message_reactions, m.given) r
  where m.mark = 'message_reactions' and exists (
    select from messages g where g.id = r.message_id and g.deleted_at is null) on conflict do nothing;
  insert into poll_votes select r.* from unnest(back) m, jsonb_populate_record(null::poll_votes, m.given) r
  where m.mark = 'poll_votes' and exists (select from polls p where p.message_id = r.message_id) on conflict do nothing;
  perform recount_marks(event, back);
end $function$

CREATE OR REPLACE FUNCTION public.claim_answer(event bigint, added bigint, claimer bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  own answers;
  theirs answers;
  free bigint;
  plus integer;
  fits boolean;
begin
  delete from answers where event_id = event and user_id = added returning * into theirs;
  if not found then return; end if;
  delete from answers where event_id = event and user_id = claimer returning * into own;
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  plus := greatest(own.plus, theirs.plus);
  -- Whoever has a seat keeps it.
  if 1 + plus > free and (own.seated or theirs.seated) then
    plus := case when own.seated then own.plus else theirs.plus end;
  end if;
  fits := coalesce(1 + plus <= free, true);
  insert into answers (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
  select event, claimer, said.answer, plus, coalesce(own.plus_names, theirs.plus_names), coalesce(own.note, theirs.note),
    said.answer = 'going' and fits, case when said.answer = 'going' and not fits then coalesce(
      least(own.line, theirs.line), (select coalesce(max(a.line), 0) + 1 from answers a where a.event_id = event)) end,
    clock_timestamp()
  from (select coalesce(own.answer, theirs.answer) as answer) said;
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id) values
    ('answer.updated', 'organizers', event, null, claimer, claimer), ('answer.updated', 'user', event, claimer, claimer, claimer);
  perform move_line(event);
end $function$

CREATE OR REPLACE FUNCTION public.count_film()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner bigint;
begin
  select owner_id into owner from media
    where id = case when tg_op = 'DELETE' then old.media_id else new.media_id end and given_up_at is null;
  if owner is not null then
    perform add_stored_bytes(owner, case when tg_op = 'DELETE' then 0 else new.original_bytes end
      - case when tg_op = 'INSERT' then 0 else old.original_bytes end);
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.count_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  films bigint := 0;
begin
  if tg_op = 'INSERT' then
    perform add_stored_bytes(new.owner_id, new.original_bytes + variant_bytes(new.original_sha256, new.variants));
  elsif tg_op = 'DELETE' then
    if old.given_up_at is null then
      perform add_stored_bytes(old.owner_id, -old.original_bytes - variant_bytes(old.original_sha256, old.variants));
    end if;
  else
    if (old.given_up_at is null) <> (new.given_up_at is null) then
      select coalesce(sum(original_bytes), 0) into films from videos where media_id = new.id;
    end if;
    perform add_stored_bytes(new.owner_id,
      case when new.given_up_at is null
        then new.original_bytes + variant_bytes(new.original_sha256, new.variants) + films else 0 end
      - case when old.given_up_at is null
        then old.original_bytes + variant_bytes(old.original_sha256, old.variants) + films else 0 end);
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.count_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was boolean := tg_op <> 'INSERT' and old.used_at is null;
  lasts boolean := tg_op <> 'DELETE' and new.used_at is null;
begin
  perform add_stored_bytes(
    case when tg_op = 'DELETE' then old.user_id else new.user_id end,
    case when lasts then new.bytes else 0 end - case when was then old.bytes else 0 end,
    case when lasts then new.received else 0 end - case when was then old.received else 0 end);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_codes(person bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from account_transfers
  where (user_id = person and kind <> 'device') or (made_by = person and taken_by is null)
$function$

CREATE OR REPLACE FUNCTION public.end_let_ins(people bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  concerned bigint[];
begin
  with ended as (
    delete from devices d
    where d.let_in_by is not null and (d.user_id = any(people) or d.let_in_by = any(people))
      and not still_let_in(d.let_in_by, d.user_id, d.let_in_event)
    returning d.user_id
  ), keys as (
    delete from return_keys k
    where k.let_in_by is not null and (k.user_id = any(people) or k.let_in_by = any(people))
      and not still_let_in(k.let_in_by, k.user_id, k.let_in_event)
    returning k.user_id
  )
  select array_agg(user_id) into concerned from (select user_id from ended union select user_id from keys) both_of_them;
  if concerned is null then return; end if;
  delete from account_transfers where user_id = any(concerned) and kind = 'own';
  update users set link_epoch = link_epoch + 1 where id = any(concerned);
end $function$

CREATE OR REPLACE FUNCTION public.end_let_ins_of_blocked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform end_let_ins(array[new.blocker_id, new.blocked_id]);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_let_ins_of_guest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform end_let_ins(array[new.user_id]);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_let_ins_of_guests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform end_let_ins((select array_agg(user_id) from entering));
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_let_ins_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform end_let_ins(array[new.id]);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_links_of_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- In one order, whoever else holds several.
  perform from events where id in (select event_id from guests where user_id = new.id and ended_at is null)
    order by id for no key update;
  update events set media_epoch = media_epoch + 1
    where id in (select event_id from guests where user_id = new.id and ended_at is null);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.end_sessions(person bigint, but bigint, keeps_calendar boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from devices where user_id = person and id is distinct from but;
  delete from return_keys k where k.user_id = person
    and not exists (select from devices d where d.id = but and d.device_id = k.device_id);
  perform end_codes(person);
  if not keeps_calendar then delete from calendar_feeds where user_id = person; end if;
  update users set link_epoch = link_epoch + 1 where id = person;
end $function$

CREATE OR REPLACE FUNCTION public.folded(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN NORMALIZE(translate(replace(replace(replace(replace(lower(regexp_replace(NORMALIZE(translate(value, '''’‘ʼ`´ʹ·'::text, ''::text), NFKD), '[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]'::text, ''::text, 'g'::text)), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text), 'øłđħıðςŧ'::text, 'oldhidσt'::text), NFC)

CREATE OR REPLACE FUNCTION public.forget_seen_mark()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from seen_marks m using group_chats c
  where c.event_id = new.event_id and m.group_chat_id = c.id and m.user_id = new.user_id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.forget_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from known_words k
  where k.word in (select lead from gone where other <> '')
    and not exists (select from user_words w where w.lead = k.word and w.other <> '')
  order by k.word for update;
  delete from known_words k
  where k.word in (select lead from gone where other <> '')
    and not exists (select from user_words w where w.lead = k.word and w.other <> '');
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.free_seats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.removed then
    perform take_answer_away(new.event_id, new.user_id);
  else
    delete from answers where event_id = new.event_id and user_id = new.user_id;
    if found then perform move_line(new.event_id); end if;
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.free_seats_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  event bigint;
begin
  for event in
    select event_id from answers where user_id = new.id and new.status = 4
    union select a.event_id from answers_away a join guests g using (event_id, user_id)
      where a.user_id = new.id and new.status <> 4 and g.ended_at is null
    order by 1
  loop
    perform from events where id = event for no key update;
    if new.status = 4 then
      perform take_answer_away(event, new.id);
    else
      perform bring_answers_back(event, array[new.id]);
    end if;
    insert into changes (kind, audience, event_id, actor_id, subject_id)
    values ('answer.updated', 'organizers', event, new.id, new.id);
  end loop;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.has_declined(event bigint, guest bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from answers a where a.event_id = event and a.user_id = guest and a.answer = 'no')
$function$

CREATE OR REPLACE FUNCTION public.hold_let_in(organizer bigint, guest bigint, event bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from guests where event_id = event and user_id in (guest, organizer) order by user_id for share;
  return lets_in(organizer, guest, event);
end $function$

CREATE OR REPLACE FUNCTION public.in_katakana(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN translate(value, 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ'::text, 'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ'::text)

CREATE OR REPLACE FUNCTION public.iso_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)

CREATE OR REPLACE FUNCTION public.keep_approved_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before constant jsonb := jsonb_build_object('first_name', old.first_name, 'middle_name', old.middle_name, 'last_name', old.last_name);
  after constant jsonb := jsonb_build_object('first_name', new.first_name, 'middle_name', new.middle_name, 'last_name', new.last_name);
begin
  -- An erased account leaves no name.
  if new.username like 'deleted~%' then
    update photos p set approved_name = null from guests g
    where g.user_id = new.id and p.event_id = g.event_id and p.taken_by = new.id and p.approved_name is not null;
    return null;
  end if;
  update photos p set approved_name = nullif(coalesce(p.approved_name, before), after),
    new_words = case when coalesce(p.approved_name, before) = after then nullif(p.new_words, approved.words)
      else coalesce(p.new_words, approved.words) end
  from (
    select o.id, jsonb_build_object('caption', o.caption, 'alt_text', o.alt_text) as words
    from guests g join events e on e.id = g.event_id join photos o on o.event_id = g.event_id and o.taken_by = g.user_id
    where g.user_id = new.id and e.photo_approval <> 'none' and e.deleted_at is null and g.role not in ('owner', 'organizer')
      and not g.trusted and not exists (select from event_links l where l.id = g.photographs_by and not l.photos_wait)
      and o.deleted_at is null and not o.waits and (o.hidden_at is null or o.sealed_from is not null)
  ) approved where p.id = approved.id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.last_place()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select max(place) from changes), (select kept_after from change_log))
$function$

CREATE OR REPLACE FUNCTION public.learn_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  missing boolean;
begin
  loop
    insert into known_words select distinct lead from added where other <> '' order by lead on conflict do nothing;
    perform from known_words k where k.word in (select lead from added where other <> '') order by k.word for key share;
    select exists (
      select from added a where a.other <> '' and not exists (select from known_words k where k.word = a.lead)
    ) into missing;
    exit when not missing;
  end loop;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.lets_in(organizer bigint, guest bigint, event bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from guests g join events e on e.id = g.event_id
    where g.event_id = event and g.user_id = guest and g.ended_at is null and g.role in ('guest', 'absent')
      and e.deleted_at is null)
  and still_let_in(organizer, guest, event)
$function$

CREATE OR REPLACE FUNCTION public.line_of(person users)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  words constant record := words_of_person(person);
begin
  if person.status in (3, 4) then return ''; end if;
  return left(array_to_string(words.names, ' '), 150) || ' '
    || array_to_string(words.besides || lower(person.username), ' ');
end $function$

CREATE OR REPLACE FUNCTION public.media_hashes(original_sha256 text, variants jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ARRAY[original_sha256] || ARRAY(SELECT (variant.file ->> 'sha256'::text) FROM jsonb_each(media_hashes.variants) variant(name, file)))

CREATE OR REPLACE FUNCTION public.message_block(chat_id bigint, block bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((chat_id || 'b'::text) || block) || 'w'::text)

CREATE OR REPLACE FUNCTION public.message_terms(chat_id bigint, sequence bigint, value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(string_to_array((message_block(chat_id, (sequence >> 13)) || array_to_string(message_words(value), (' '::text || message_block(chat_id, (sequence >> 13))))), ' '::text))

CREATE OR REPLACE FUNCTION public.message_words(value text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN tsvector_to_array(to_tsvector('simple'::regconfig, translate(CASE WHEN (octet_length(value) = length(value)) THEN value ELSE regexp_replace(folded(value), '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF])'::text, ' \1 '::text, 'g'::text) END, '@./'''::text, '   '::text)))

CREATE OR REPLACE FUNCTION public.move_line(event bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  free bigint;
  party record;
begin
  select p.places - (select coalesce(sum(1 + a.plus), 0) from answers a where a.event_id = event and a.seated)
  into free from event_plans p where p.event_id = event;
  for party in
    select a.user_id, 1 + a.plus as size from answers a where a.event_id = event and a.line is not null order by a.line
  loop
    exit when free < 1;
    continue when party.size > free;
    update answers set seated = true, line = null where event_id = event and user_id = party.user_id;
    free := free - party.size;
    insert into changes (kind, audience, event_id, user_id, actor_id, subject_id) values
      ('answer.updated', 'organizers', event, null, party.user_id, party.user_id),
      ('answer.updated', 'user', event, party.user_id, party.user_id, party.user_id);
    with given as (
      insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
      values ('place.given', 'user', event, party.user_id, party.user_id, event) returning id
    )
    insert into unnotified_changes (change_id) select id from given;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.note_avatar_ending()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.avatar_ending := case
    when exists (select from media m where m.id = new.avatar_media_id and m.variants #>> '{display,type}' = 'image/webp')
      then 'webp' else 'jpg' end;
  return new;
end $function$

CREATE OR REPLACE FUNCTION public.note_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_moves (event_id, starts_at) values (old.id, old.starts_at);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.open_session(for_user bigint, on_device text, on_platform text, in_timezone text, with_hash bytea, sessions_max integer, until timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(expires_at timestamp with time zone, ended boolean, person_status smallint)
 LANGUAGE plpgsql
AS $function$
declare
  dropped integer;
begin
  select status into person_status from users where id = for_user for no key update;
  update users set timezone = in_timezone, visible = visible or added_to is not null, added_to = null
  where id = for_user and (timezone <> in_timezone or added_to is not null);
  insert into devices as d (user_id, device_id, platform, timezone, token_hash, token_expires_at)
  values (for_user, on_device, on_platform, in_timezone, with_hash, least(now() + interval '30 days', until))
  on conflict (user_id, device_id) do update set
    platform = excluded.platform, timezone = excluded.timezone,
    token_hash = excluded.token_hash, token_expires_at = excluded.token_expires_at,
    previous_token_hash = null, previous_token_expires_at = null, let_in_by = null, let_in_event = null,
    last_used_at = now(), created_at = now(), updated_at = now()
  -- A row that was there has been updated by this transaction, one that is new by none.
  returning d.token_expires_at, d.xmax <> 0 into expires_at, ended;
  delete from devices where id in (
    select id from devices where user_id = for_user order by last_used_at desc, id desc offset sessions_max);
  get diagnostics dropped = row_count;
  ended := ended or dropped > 0;
  return next;
end $function$

CREATE OR REPLACE FUNCTION public.pairs_of(person users)
 RETURNS TABLE(lead text, other text)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  words constant record := words_of_person(person);
begin
  if not person.visible or person.status in (3, 4) then return; end if;
  return query
    select a.word, b.word from unnest(words.names) as a (word), unnest(words.names) as b (word) where a.word <> b.word
    union
    select alone.word, '~' from unnest(words.besides) as alone (word)
    union
    select min(n.word), '~' from unnest(words.names) as n (word) having count(distinct n.word) = 1
    union
    select lower(person.username), '';
end $function$

CREATE OR REPLACE FUNCTION public.place_changes(most integer, OUT placed integer, OUT history text, OUT place bigint, OUT cursor_key bytea)
 RETURNS record
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET lock_timeout TO '5s'
AS $function$
declare
  place_lock constant bigint := 4127337003;
  settled xid8;
  last bigint;
  ids bigint[];
  settles xid8;
begin
  if exists (select from change_log l where l.written_at is distinct from writing_place(l.tableoid)) then
    perform pg_advisory_xact_lock(place_lock);
    perform begin_history(l.history) from change_log l where l.written_at is distinct from writing_place(l.tableoid);
  end if;
  -- A transaction of before was visible when these were placed, or left nothing. That stays true over a crash: who
  -- placed them took a transaction id no lower, and left it in PostgreSQL's own log.
  select c.settled_before into settled from changes c where c.place is not null order by c.place desc limit 1;
  placed := 0;
  if exists (select from changes c where c.place is null and c.xid >= coalesce(settled, '0')) then
    perform pg_advisory_xact_lock(place_lock);
    select c.settled_before into settled from changes c where c.place is not null order by c.place desc limit 1;
    last := last_place();
    select array_agg(u.id), pg_snapshot_xmin(pg_current_snapshot()) into ids, settles from (
      -- `offset 0`: found by their index, and sorted then.
      select w.id from (
        select c.id from changes c where c.place is null and c.xid >= coalesce(settled, '0') offset 0
      ) w order by w.id limit most
    ) u;
    update changes c
    set place = last + u.n, settled_before = case when cardinality(ids) < most then settles else settled end
    from unnest(ids) with ordinality u (id, n) where c.id = u.id;
    get diagnostics placed = row_count;
  end if;
  select last_place(), l.history, l.cursor_key into place, history, cursor_key from change_log l;
end $function$

CREATE OR REPLACE FUNCTION public.raise_event_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision := old.revision + 1;
  return new;
end $function$

CREATE OR REPLACE FUNCTION public.read_head(most integer, after bigint, OUT placed integer, OUT history text, OUT place bigint, OUT cursor_key bytea, OUT events double precision[], OUT users double precision[])
 RETURNS record
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  select p.placed, p.history, p.place, p.cursor_key into placed, history, place, cursor_key from place_changes(most) p;
  if after < place then
    select coalesce(array_agg(distinct c.event_id::float8) filter (where c.audience <> 'user'), '{}'),
      coalesce(array_agg(distinct c.user_id::float8) filter (where c.audience = 'user'), '{}')
    into events, users
    from changes c where c.place > after and c.place <= read_head.place;
  else
    events := '{}';
    users := '{}';
  end if;
end $function$

CREATE OR REPLACE FUNCTION public.recount_marks(event bigint, marks marks_away[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update photos p set likes_count = (select count(*) from photo_likes l where l.photo_id = p.id)
  where p.id in (select (m.given ->> 'photo_id')::bigint from unnest(marks) m);
  update comment_reaction_counts c set count = (
    select count(*) from comment_reactions r where r.comment_id = c.comment_id and r.reaction = c.reaction)
  where c.comment_id in (select (m.given ->> 'comment_id')::bigint from unnest(marks) m);
  update messages m set reactions = (
    select jsonb_agg(jsonb_build_object('id', r.first, 'emoji', r.emoji, 'count', r.count,
      'created_at', iso_time(r.since), 'updated_at', iso_time(clock_timestamp())) order by r.first)
    from (
      select emoji, count(*) as count, min(id) as first, min(created_at) as since
      from message_reactions where message_id = m.id group by emoji) r)
  where m.id in (
    select (m.given ->> 'message_id')::bigint from unnest(marks) m where m.mark = 'message_reactions');
  insert into changes (kind, audience, event_id, actor_id, subject_id)
  select distinct
    case m.mark when 'photo_likes' then 'photo.liked' when 'comment_reactions' then 'comment.reacted'
      when 'message_reactions' then 'message.reacted' else 'message.updated' end,
    'event', event, 0,
    coalesce(m.given ->> 'photo_id', m.given ->> 'comment_id', m.given ->> 'message_id')::bigint
  from unnest(marks) m;
end $function$

CREATE OR REPLACE FUNCTION public.refuse_change_of_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is only ever added to';
end $function$

CREATE OR REPLACE FUNCTION public.remove_poll()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from polls where message_id = new.id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.repeat_media_epoch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update photos set picture_epoch = new.epoch where media_id = new.id and deleted_at is null;
  update attachments set picture_epoch = new.epoch where media_id = new.id and deleted_at is null;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.rewrite_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from guest_lines l where l.event_id = new.event_id and l.user_id = new.user_id;
  if new.ended_at is null then
    perform from users u where u.id = new.user_id for share;
    insert into guest_lines (event_id, user_id, found_by)
    select new.event_id, u.id, line_of(u) from users u where u.id = new.user_id;
  end if;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.rewrite_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  line constant text := line_of(new);
begin
  delete from user_words w where w.user_id = new.id
    and not exists (select from pairs_of(new) p where p.lead = w.lead and p.other = w.other);
  insert into user_words (user_id, lead, other) select new.id, p.lead, p.other from pairs_of(new) p on conflict do nothing;
  update friendships theirs set found_by = line from friendships mine
  where mine.user_id = new.id and theirs.user_id = mine.friend_id and theirs.friend_id = new.id;
  update guest_lines l set found_by = line from guests g
  where g.user_id = new.id and g.ended_at is null and l.event_id = g.event_id and l.user_id = g.user_id;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.role_of_guest(event bigint, guest bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when exists (
    select from event_plans p join answers a on a.event_id = p.event_id
    where p.event_id = event and a.user_id = guest and p.album_for = 'coming' and a.answer in ('no', 'maybe'))
    then 'absent' else 'guest' end
$function$

CREATE OR REPLACE FUNCTION public.still_let_in(organizer bigint, guest bigint, event bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from guests o join users u on u.id = o.user_id
    where o.event_id = event and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer')
      and u.status not in (3, 4))
  and exists (select from users u where u.id = guest and u.status = 5)
  and not exists (select from blocked_pairs b where b.user_id = organizer and b.other_id = guest)
  and not exists (
    select from guests g
    where g.user_id = guest and g.ended_at is null and (g.role not in ('guest', 'absent') or not exists (
      select from guests o
      where o.event_id = g.event_id and o.user_id = organizer and o.ended_at is null and o.role in ('owner', 'organizer'))))
$function$

CREATE OR REPLACE FUNCTION public.take_answer_away(event bigint, person bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from answers where event_id = event and user_id = person) then return; end if;
  delete from answers_away where event_id = event and user_id = person;
  insert into answers_away (event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at)
  select event_id, user_id, answer, plus, plus_names, note, seated, line, answered_at from answers
  where event_id = event and user_id = person;
  delete from answers where event_id = event and user_id = person;
  perform move_line(event);
end $function$

CREATE OR REPLACE FUNCTION public.take_marks_away(event bigint, people bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  gone marks_away[];
begin
  perform from photos where event_id = event and id in (select photo_id from photo_likes where user_id = any(people))
  order by id for no key update;
  perform from comments where id in (
    select r.comment_id from comment_reactions r join comments c on c.id = r.comment_id join photos p on p.id = c.photo_id
    where r.user_id = any(people) and p.event_id = event)
  order by id for no key update;
  with likes as (
    delete from photo_likes l using photos p
    where l.user_id = any(people) and p.id = l.photo_id and p.event_id = event returning l.*
  ), reactions as (
    delete from comment_reactions r using comments c, photos p
    where r.user_id = any(people) and c.id = r.comment_id and p.id = c.photo_id and p.event_id = event returning r.*
  ), emojis as (
    delete from message_reactions r using messages m, group_chats c
    where r.user_id = any(people) and m.id = r.message_id and c.id = m.group_chat_id and c.event_id = event returning r.*
  ), votes as (
    delete from poll_votes v using messages m, group_chats c
    where v.user_id = any(people) and m.id = v.message_id and c.id = m.group_chat_id and c.event_id = event returning v.*
  ), taken as (
    insert into marks_away (event_id, user_id, mark, given)
    select event, user_id, 'photo_likes', to_jsonb(likes) from likes
    union all select event, user_id, 'comment_reactions', to_jsonb(reactions) from reactions
    union all select event, user_id, 'message_reactions', to_jsonb(emojis) from emojis
    union all select event, user_id, 'poll_votes', to_jsonb(votes) from votes
    returning marks_away
  ), gaps as (
    insert into sequence_gaps as g (list, parent_id, block, gaps)
    select 'comment reactions', comment_id, (sequence - 1) / 512, count(*) from reactions group by 2, 3
    on conflict (list, parent_id, block) do update set gaps = g.gaps + excluded.gaps
  )
  select array_agg(marks_away) into gone from taken;
  if gone is not null then perform recount_marks(event, gone); end if;
end $function$

CREATE OR REPLACE FUNCTION public.tell_entered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
  select 'member.entered', 'user', e.event_id, e.user_id, e.user_id, e.event_id from entering e
  where e.ended_at is null;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.tell_entered_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (kind, audience, event_id, user_id, actor_id, subject_id)
  values ('member.entered', 'user', new.event_id, new.user_id, new.user_id, new.event_id);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.tell_links_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id) values ('session.ended', 'user', new.id, new.id, new.id);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.tell_of_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  notify jobs;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.tell_session_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id)
  values ('session.ended', 'user', old.user_id, old.user_id, old.id);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.tell_suspended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (kind, audience, user_id, actor_id, subject_id)
  values ('session.ended', 'user', new.id, new.id, new.id);
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.variant_bytes(original_sha256 text, variants jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT (COALESCE(sum(files.bytes), (0)::numeric))::bigint AS "coalesce" FROM (SELECT DISTINCT ON ((variant.file ->> 'sha256'::text)) ((variant.file ->> 'bytes'::text))::bigint AS bytes FROM jsonb_each(variant_bytes.variants) variant(name, file) WHERE ((variant.file ->> 'sha256'::text) <> variant_bytes.original_sha256)) files)

CREATE OR REPLACE FUNCTION public.words_alike(asked text, most integer)
 RETURNS TABLE(word text, likeness real)
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
 SET "pg_trgm.similarity_threshold" TO '0.4'
AS $function$
  select k.word, similarity(k.word, asked) from known_words k
  where k.word % asked and not starts_with(k.word, asked) and char_length(asked) > 2
  order by 2 desc, 1 limit most
$function$

CREATE OR REPLACE FUNCTION public.words_of(value text, most integer)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  word text;
  words text[] := '{}';
begin
  foreach word in array regexp_split_to_array(in_katakana(folded(value)),
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u2000-\u206F\u3000-\u3003\u30FB\s]+') loop
    if word <> '' and cardinality(words) < most then words := words || left(word, 64); end if;
  end loop;
  return words;
end $function$

CREATE OR REPLACE FUNCTION public.words_of_person(person users, OUT names text[], OUT besides text[])
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  first constant text[] := words_of(person.first_name, 3);
  last constant text[] := words_of(person.last_name, 4);
  joined constant text := array_to_string(first || last, '');
  part text;
begin
  names := first || last || words_of(coalesce(person.middle_name, ''), 2);
  besides := '{}';
  if joined ~ '[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]' then
    besides := array[left(joined, 24), left(array_to_string(last || first, ''), 24)];
  end if;
  foreach part in array (regexp_split_to_array(lower(person.username), '[^a-z]+'))[1:3] loop
    if char_length(part) > 2 and part <> all (names || besides) then besides := besides || part; end if;
  end loop;
end $function$

CREATE OR REPLACE FUNCTION public.write_lines()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from users u where u.id in (select user_id from entering) order by u.id for share;
  insert into guest_lines (event_id, user_id, found_by)
  select e.event_id, u.id, line_of(u) from entering e join users u on u.id = e.user_id where e.ended_at is null;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.write_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into user_words (user_id, lead, other) select n.id, p.lead, p.other from newcomers n, pairs_of(n) p;
  return null;
end $function$

CREATE OR REPLACE FUNCTION public.writing_place(log_table oid)
 RETURNS text
 LANGUAGE sql
AS $function$
  select concat_ws('.', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), log_table)
  from pg_control_system()
$function$

