import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import type { SessionEntry } from '#contract/console/connections.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'

const ways = [
  { value: 'link', label: 'Sign-in link' },
  { value: 'password', label: 'Password' },
  { value: 'invitation', label: 'Invitation' },
  { value: 'passkey', label: 'Passkey' },
  { value: 'provider', label: 'Provider' },
]

const places = { machine: 'this machine', private: 'private network', internet: 'internet' } as const

/** In the list of all sessions: whose it is. */
export const personColumn: Column<SessionEntry> = {
  id: 'person',
  title: 'Person',
  grow: 1,
  width: 170,
  value: ({ person }) => person?.name ?? 'The console itself',
}

/** The columns of the list. Their ids are part of URLs: do not rename them. */
export const sessionColumns: Column<SessionEntry>[] = [
  {
    id: 'browser',
    title: 'Browser',
    grow: 1,
    // The current session must be visible on a phone too.
    width: 230,
    value: ({ browser, current }) => `${formatBrowser(browser)}${current ? ' (this browser)' : ''}`,
    cell: ({ browser, current }) => (
      <span title={browser}>
        {formatBrowser(browser)} {current && <StatusChip tone="accent">This browser</StatusChip>}
      </span>
    ),
  },
  { id: 'seen', title: 'Last used', width: 130, type: 'timestamp', value: ({ seenAt }) => seenAt },
  { id: 'created', title: 'Signed in', width: 130, type: 'timestamp', value: ({ createdAt }) => createdAt },
  {
    id: 'way',
    title: 'Signed in with',
    width: 140,
    type: 'choice',
    options: ways,
    value: ({ way }) => way,
    cell: ({ way, provider }) => provider ?? ways.find(({ value }) => value === way)?.label,
  },
  {
    id: 'address',
    title: 'Address',
    width: 210,
    value: ({ address }) => address,
    cell: ({ address, place }) => (
      <span>
        {address} {place && <small>({places[place]})</small>}
      </span>
    ),
  },
  { id: 'ends', title: 'Expires', width: 130, type: 'timestamp', value: ({ endsAt }) => endsAt },
]
