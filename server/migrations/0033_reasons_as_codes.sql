-- Why something rang or did not is a code with values; it was English, which this reads for the last time.
create function pg_temp.reasons_of(words text) returns jsonb language sql as $$
  with services (code, name) as (values
    ('browser', 'The browser''s push service'), ('fcm', 'FCM'), ('apns', 'APNs'), ('googleSignIn', 'Google''s sign-in')
  ), templates (code, template) as (values
    ('inChat', 'You are in this chat.'),
    ('mentioned', 'You were mentioned.'),
    ('replyToMessage', 'It replies to a message of yours.'),
    ('ownMessage', 'It is a message of yours.'),
    ('ownPhoto', 'It is a photo of yours.'),
    ('replyToComment', 'It replies to a comment of yours.'),
    ('ownComment', 'It is a comment of yours.'),
    ('inEvent', 'You are in this event.'),
    ('organizer', 'You organize this event.'),
    ('askedToJoin', 'You asked to join this event.'),
    ('invited', 'You were invited to this event.'),
    ('befriended', 'You were asked.'),
    ('operator', 'You are an operator of this service.'),
    ('askedForExport', 'You asked for it.'),
    ('askedForTest', 'You asked for a test push.'),
    ('chatMuted', 'It did not ring, as you mute this chat.'),
    ('allMuted', 'It did not ring, as you mute notifications.'),
    ('read', 'It was read meanwhile.'),
    ('deleted', 'What it was about was deleted.'),
    ('hidden', 'What it was about was hidden.'),
    ('gone', 'What it was about is gone.'),
    ('outside', 'It is no business of yours any more.'),
    ('takenBack', 'It was taken back.'),
    ('answered', 'It was answered or taken back.'),
    ('blocked', 'One of you has blocked the other.'),
    ('actorErased', 'Their account was erased.'),
    ('barred', 'The account is suspended or about to be erased.'),
    ('mutes', 'You mute notifications.'),
    ('active', 'The app was active, so it went over the channel.'),
    ('taken', 'The app took it.'),
    ('pushForbidden', 'NOTIFY_STRICT forbids a push.'),
    ('alsoPushed', 'So it went as push too.'),
    ('inactive', 'The app was not active.'),
    ('pushed', 'So it went as push.'),
    ('neverRegistered', 'The device has registered no push address.'),
    ('cannotPushToWeb', 'This server cannot push to web.'),
    ('cannotPushToAndroid', 'This server cannot push to android.'),
    ('cannotPushToIos', 'This server cannot push to ios.'),
    ('signedOut', 'The device signed out.'),
    ('delivered', 'The push service took it.'),
    ('stoppedTwice', 'This server stopped twice while sending it.'),
    ('addressNotHttps', 'The subscription cannot be pushed to: its address is no https address, so the address was dropped.'),
    ('addressPrivate', 'The subscription cannot be pushed to: its address lies in a private network, so the address was dropped.'),
    ('keysNoKeys', 'The subscription cannot be pushed to: its keys are no keys, so the address was dropped.'),
    ('noRegistrationToken', 'The registration token is none, so the address was dropped.'),
    ('noDeviceToken', 'The device token is none, so the address was dropped.'),
    ('tooLong', 'The message is too long for a push.'),
    ('noAddress', 'The device has no push address any more.'),
    ('ownFault', 'A fault of this server.'),
    ('noWayToWeb', 'This server has no way to push to web.'),
    ('noWayToAndroid', 'This server has no way to push to android.'),
    ('noWayToIos', 'This server has no way to push to ios.'),
    ('notTaken', 'The app did not take it within :seconds seconds.'),
    ('triedAgain', 'It is tried again in :seconds s.'),
    ('givenUp', 'It was given up after :tries tries.'),
    ('unregistered', ':service no longer knows this device, so the address was dropped.'),
    ('silentForAWeek', ':service has not answered for a week, so the address was dropped.'),
    ('refused', ':service did not take it.'),
    ('tooSlow', ':service did not answer in time.'),
    ('resting', ':service did not answer lately and is left alone for a while.'),
    ('idle', ':service closed an idle connection.'),
    ('refusesConnections', ':service refuses connections.'),
    ('broke', ':service broke the connection.'),
    ('lost', ':service lost the connection.'),
    ('noSuchName', ':service cannot be found by its name.'),
    ('noNameNow', ':service cannot be found by its name at the moment.'),
    ('unreachable', ':service cannot be reached.'),
    ('expiredCertificate', ':service shows an expired certificate.'),
    ('foreignCertificate', ':service shows a certificate of somebody else.'),
    ('untrustedCertificate', ':service shows a certificate nobody vouches for.'),
    ('privateName', ':service has a name that leads into a private network.'),
    ('unknownDevice', ':service no longer knows this device (:status), so the address was dropped.'),
    ('pause', ':service asks for a pause (:status).'),
    ('trouble', ':service is in trouble (:status).'),
    ('credentials', ':service does not accept this server''s credentials (:status).'),
    ('tooLarge', ':service finds the message too large (:status).'),
    ('elsewhere', ':service points elsewhere, which is not followed (:status).'),
    ('misunderstood', ':service does not understand the message (:status).'),
    ('otherProject', ':service knows this device under another Firebase project (:status).'),
    ('unknownProject', ':service does not know the Firebase project (:status).'),
    ('unknownWay', ':service does not know the way it was asked (:status).'),
    ('otherApp', ':service knows this device under another app than ours (:status).'),
    ('unknownApp', ':service does not know our app (:status).'),
    ('forbiddenApp', ':service does not let us push to our app (:status).'),
    ('otherEnvironment', ':service takes our key only in its other environment (:status).'),
    ('key', ':service does not accept our key (:status).'),
    ('clock', ':service finds our clock wrong (:status).')
  ), sentences (n, sentence) as (
    select n, sentence from regexp_split_to_table(words, '(?<=\.) (?=[A-Z])') with ordinality s (sentence, n)
  ), services_named as (
    select n, sentence, code as service, coalesce(':service' || substr(sentence, length(name) + 1), sentence) as rest
    from sentences left join services on starts_with(sentence, name || ' ')
  ), taken as (
    select n, service, substring(rest, '\((\d+)\)') as status, substring(rest, '([\d.]+) s(?:econds)?\.$') as seconds,
      substring(rest, '(\d+) tries\.$') as tries,
      regexp_replace(regexp_replace(regexp_replace(rest, '\(\d+\)', '(:status)'),
        '[\d.]+( s(?:econds)?\.)$', ':seconds\1'), '\d+( tries\.)$', ':tries\1') as template
    from services_named
  )
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('code', templates.code, 'service', service,
    'status', status::int, 'seconds', seconds::float8, 'tries', tries::int)) order by n), '[]')
  from taken join templates using (template)
$$;

alter table notifications alter reason type jsonb using pg_temp.reasons_of(reason);
alter table notifications rename reason to reasons;
alter table deliveries
  alter reason type jsonb using pg_temp.reasons_of(reason),
  alter outcome type jsonb using case when outcome is not null then pg_temp.reasons_of(outcome) end;
alter table deliveries rename reason to reasons;
drop function pg_temp.reasons_of(text);
