import { useQuery } from '@tanstack/react-query'
import { LogOut, MonitorX, Users } from 'lucide-react'
import { useMemo } from 'react'
import { z } from 'zod'
import { queryClient } from '#console/api/queryClient.ts'
import { endAnySession, endOtherSessions, endSession, sessionsQueryOf } from '#console/api/gateway/sessionList.ts'
import { sessionQuery } from '#console/api/session.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { useSignOut } from '#console/shell/session/useSignOut.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import type { SessionEntry } from '#contract/console/connections.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'

export function prefetch(): void {
  void queryClient.prefetchQuery(sessionsQueryOf('mine'))
}

const address = z.object({ whose: z.enum(['mine', 'all']).catch('mine') })

/** Lists the caller's sessions, or for administrators those of everybody, and signs them out. */
export default function SessionsPage() {
  const [{ whose }, setAddress] = useUrlState(address)
  const { data: own } = useQuery(sessionQuery)
  const administers = own !== undefined && own.limited === undefined
  const all = whose === 'all' && administers
  const { data, error, refetch } = useQuery(sessionsQueryOf(all ? 'all' : 'mine'))
  const signOut = useSignOut()
  const alone = data && data.length < 2 ? 'No other sessions.' : undefined
  usePageActions(
    useMemo(
      () => (all ? [] : [{ label: everywhereElse, icon: MonitorX, disabled: alone, run: () => void endOthers() }]),
      [alone, all],
    ),
  )
  return (
    <Page
      title="Sessions"
      lead={
        all
          ? 'All browsers with a session. People whom a proxy signs in have none: the page People shows when they were last seen.'
          : 'Browsers in which you are signed in. Sessions end after a time without use, and at the latest when they expire.'
      }
      actions={
        <>
          {administers && (
            <Button
              startIcon={<Users size={14} aria-hidden />}
              onClick={() => setAddress({ whose: all ? undefined : 'all' })}
            >
              {all ? 'Show only mine' : 'Show all people'}
            </Button>
          )}
          {!all && (
            <DisabledReason reason={alone}>
              <Button
                disabled={alone !== undefined}
                startIcon={<MonitorX size={14} aria-hidden />}
                onClick={() => void endOthers()}
              >
                {everywhereElse}
              </Button>
            </DisabledReason>
          )}
        </>
      }
    >
      <DataTable
        key={whose}
        label="Sessions"
        rows={data}
        columns={all ? allColumns : sessionColumns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState title="No sessions">
            {own?.byProxy
              ? 'The proxy in front of the console signs you in with each request, and signing out is up to it. Browsers in which you sign in here yourself are listed here.'
              : 'Nobody is signed in with a session.'}
          </EmptyState>
        }
        {...useTableState()}
        nameOf={nameOf}
        rowActions={(session) => [
          {
            label: 'Sign out',
            icon: LogOut,
            run: () => void (session.current ? signOut() : endOne(session, all ? endAnySession : endSession)),
          },
        ]}
      />
    </Page>
  )
}

const everywhereElse = 'Sign out all other sessions'
const nameOf = ({ browser }: SessionEntry) => formatBrowser(browser)

async function endOthers(): Promise<void> {
  const sure = await confirm({
    title: `${everywhereElse}?`,
    body: 'All other browsers must sign in again and lose unsaved changes. This browser stays signed in.',
    action: everywhereElse,
  })
  if (sure) await runWithToast(endOtherSessions, 'All other sessions signed out')
}

const endOne = (session: SessionEntry, end: (id: string) => Promise<void>) =>
  runWithToast(
    () => end(session.id),
    `${nameOf(session)}${session.person === undefined ? '' : ` of ${session.person.name}`} signed out`,
  )

const ways = [
  { value: 'link', label: 'Sign-in link' },
  { value: 'password', label: 'Password' },
  { value: 'invitation', label: 'Invitation' },
  { value: 'passkey', label: 'Passkey' },
  { value: 'provider', label: 'Provider' },
]

const places = { machine: 'this machine', private: 'private network', internet: 'internet' } as const

/** In the list of all sessions: whose it is. */
const personColumn: Column<SessionEntry> = {
  id: 'person',
  title: 'Person',
  grow: 1,
  width: 170,
  value: ({ person }) => person?.name ?? 'The console itself',
}

/** The columns of the list. Their ids are part of URLs: do not rename them. */
const sessionColumns: Column<SessionEntry>[] = [
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

const allColumns = [personColumn, ...sessionColumns]
