import { useQuery } from '@tanstack/react-query'
import { LogOut, MonitorX } from 'lucide-react'
import { useMemo } from 'react'
import { queryClient } from '#console/api/queryClient.ts'
import { endOtherSessions, endSession, sessionsQuery } from '#console/api/gateway/sessionList.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { useSignOut } from '#console/shell/session/useSignOut.ts'
import { useTableState } from '#console/shell/useTableState.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import type { SessionEntry } from '#contract/connections.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { sessionColumns } from './columns.tsx'
import { Button } from '#console/ui/base/Button.tsx'

export function reads(): void {
  void queryClient.prefetchQuery(sessionsQuery)
}

/** Lists the sessions of this console, and signs them out. */
export default function SessionsPage() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const signOut = useSignOut()
  const alone = data && data.length < 2 ? 'No other sessions.' : undefined
  usePageActions(
    useMemo(() => [{ label: everywhereElse, icon: MonitorX, disabled: alone, run: () => void endOthers() }], [alone]),
  )
  return (
    <Page
      title="Sessions"
      lead="Browsers in which you are signed in. A session ends some time after its last use, and in any case after a longer time."
      actions={
        <DisabledReason reason={alone}>
          <Button
            disabled={alone !== undefined}
            startIcon={<MonitorX size={14} aria-hidden />}
            onClick={() => void endOthers()}
          >
            {everywhereElse}
          </Button>
        </DisabledReason>
      }
    >
      <DataTable
        label="Sessions"
        rows={data}
        columns={sessionColumns}
        error={error && <QueryError error={error} onRetry={() => void refetch()} />}
        // The caller is signed in.
        empty={null}
        {...useTableState()}
        nameOf={nameOf}
        rowActions={(session) => [
          { label: 'Sign out', icon: LogOut, run: () => void (session.current ? signOut() : endOne(session)) },
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
  if (sure) await ended(endOtherSessions(), 'All other sessions were signed out.')
}

const endOne = (session: SessionEntry) => ended(endSession(session.id), `${nameOf(session)} is signed out.`)

async function ended(ending: Promise<void>, text: string): Promise<void> {
  try {
    await ending
    toast({ tone: 'ok', text })
  } catch (error) {
    toastFailure(error)
  }
}
