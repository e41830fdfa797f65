"""Reads a calendar from standard input with two parsers that have nothing to do with us, and prints what each found."""
import json
import sys
from datetime import timezone

import icalendar
import vobject

text = sys.stdin.buffer.read().decode()


def utc(moment):
    return moment.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def by_icalendar():
    for event in icalendar.Calendar.from_ical(text).walk('VEVENT'):
        words = {name: str(event[name]) for name in ('UID', 'SUMMARY', 'DESCRIPTION', 'LOCATION', 'STATUS', 'URL') if name in event}
        times = {name: utc(event[name].dt) for name in ('DTSTART', 'DTEND') if name in event}
        yield {**words, **times, 'SEQUENCE': int(event['SEQUENCE'])}


def by_vobject():
    for event in getattr(vobject.readOne(text), 'vevent_list', []):
        lines = {line.name: line.value for line in event.getChildren()}
        words = {name: lines[name] for name in ('UID', 'SUMMARY', 'DESCRIPTION', 'LOCATION', 'STATUS', 'URL') if name in lines}
        times = {name: utc(lines[name]) for name in ('DTSTART', 'DTEND') if name in lines}
        yield {**words, **times, 'SEQUENCE': int(lines['SEQUENCE'])}


json.dump([list(by_icalendar()), list(by_vobject())], sys.stdout)
