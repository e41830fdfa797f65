/* Generated from the contract by `npm run documents`. */
import * as accounts from './accounts.ts'
import * as announcements from './announcements.ts'
import * as chats from './chats.ts'
import * as events from './events.ts'
import * as gallery from './gallery.ts'
import * as links from './links.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as plans from './plans.ts'
import * as polls from './polls.ts'
import * as privacy from './privacy.ts'
import * as providers from './providers.ts'
import * as recovery from './recovery.ts'
import * as returns from './returns.ts'
import * as transfers from './transfers.ts'
import * as wall from './wall.ts'

export const slices = { accounts, providers, recovery, returns, transfers, notifications, events, announcements, links, plans, people, gallery, chats, polls, wall, privacy }
