import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '#console/paths/paths.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { sessionQuery } from '#console/api/session.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { send } from '#console/api/send.ts'
import type { DamagedRecord, DamageSummary } from '#contract/wire/damage.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { removableTables } from '#contract/console/removableTables.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { formatValue } from '#domain/charts/units.ts'
import * as css from './frame.module.css'

/** The session has ended, by expiry or from elsewhere. The page stays open: signing in in another tab restores it. */
export function SignedOutNotice() {
  const href = useLocation({ select: (location) => location.href })
  const signIn = (
    <LinkButton to={paths.signIn()} search={{ next: href }}>
      Sign in
    </LinkButton>
  )
  return (
    <Bar>
      <Notice tone="warning" role="alert" action={signIn}>
        Your session has ended. Sign in in another tab to continue here without losing your input.
      </Notice>
    </Bar>
  )
}

/** Another tab signed in as somebody else: what this page shows was read for the person before. */
export function OtherPersonNotice({ name }: { name: string }) {
  return (
    <Bar>
      <Notice tone="warning" role="alert" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        This browser is now signed in as {name}, in another tab. What you change here is done in that name.
      </Notice>
    </Bar>
  )
}

/** A newer build is served: reloading is the person's choice, so that nothing typed is lost. */
export function NewBuildNotice() {
  return (
    <Bar>
      <Notice tone="info" role="status" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        A new version of the console is available.
      </Notice>
    </Bar>
  )
}

/** Sentences that are shown. A disk that failed may have many. */
const maxShown = 3

/** Which telemetry of the stack is missing, and what to do. */
export function TelemetryLossNotice({ losses }: { losses: readonly string[] }) {
  const more = losses.length > maxShown ? ` And ${losses.length - maxShown} more: see the log of the stack.` : ''
  return (
    <Bar>
      <Notice tone="warning" role="status">
        Telemetry is missing. {losses.slice(0, maxShown).join(' ')}
        {more} Restore a backup, or restart the stack with --accept-data-loss to go on without it.
      </Notice>
    </Bar>
  )
}

interface DamageProps {
  damage: DamageSummary
  /** The server whose records are damaged. */
  of: 'console' | 'stack'
}

/** Which stored records are damaged, and what to do. */
export function DamageNotice({ damage: { total, records }, of }: DamageProps) {
  const removable = of === 'console' ? records.filter(({ table }) => removableTables[table] !== undefined) : []
  const named = records.slice(0, maxShown).map(({ table, id }) => `${id} of the table ${table}`)
  const more = total > named.length ? ` And ${total - named.length} more: see the log of the ${of}.` : ''
  return (
    <Bar>
      <Notice
        tone="warning"
        role="status"
        action={removable.length > 0 && <Button onClick={() => void removeDamaged(removable)}>Remove…</Button>}
      >
        {total === 1 ? 'A stored record' : `${formatValue(total)} stored records`} of the {of}{' '}
        {total === 1 ? 'is' : 'are'} damaged: {named.join(', ')}.{more} Restore a backup
        {removable.length > 0 && ', or remove what can be made again'}.
      </Notice>
    </Bar>
  )
}

/** Asks, and removes them one after another. */
async function removeDamaged(records: readonly DamagedRecord[]): Promise<void> {
  const title = records.length === 1 ? 'Remove the damaged record?' : `Remove ${records.length} damaged records?`
  const body = (
    <>
      These records cannot be read. Their owners must create them again. Nothing else is changed.
      <ul>
        {records.map(({ table, id }) => (
          <li key={`${table} ${id}`}>
            {removableTables[table]} {id}
          </li>
        ))}
      </ul>
    </>
  )
  if (!(await confirm({ title, body, action: 'Remove', danger: true }))) return
  await runWithToast(
    async () => {
      for (const { table, id } of records)
        await send(pagePaths.damagedRecords, { method: 'DELETE', body: { table, id } })
    },
    records.length === 1 ? 'Damaged record removed' : 'Damaged records removed',
  )
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

function Bar({ children }: { children: ReactNode }) {
  return <div className={css.noticesBar}>{children}</div>
}
