/** Words of the history. */
import type { Change } from '#contract/history.ts'
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { counted } from '#console/ui/format.ts'
import { kindLabel } from '#console/shell/runs/kinds.tsx'

export const causeLabels: Record<Change['cause'], string> = {
  console: 'this console',
  outside: 'outside this console',
  promotion: 'promotion',
  restore: 'restore',
  undo: 'undo',
  fileImport: 'import',
}

export const outcomeLabels: Record<Change['outcome'], string> = {
  done: 'done',
  refused: 'refused',
  unknown: 'unknown',
  pending: 'under way',
  found: 'found',
}

export const outcomeTones: Record<Change['outcome'], ChipTone> = {
  done: 'ok',
  refused: 'bad',
  unknown: 'warn',
  pending: 'accent',
  found: 'warn',
}

/** "alert · 3 fields", "dashboard · created". */
export function changeSummary({ kind, action, fields }: Change): string {
  const what = { created: 'created', deleted: 'deleted', operated: 'state changed', updated: 'changed' }[action]
  const detail = action === 'updated' && fields !== undefined ? counted(fields, 'field') : what
  return `${kindLabel(kind).one} · ${detail}`
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'short' })
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** "Thursday 19 Nov". */
export const formatDay = (iso: string) => day.format(new Date(iso))
/** "14:31". */
export const formatClock = (iso: string) => time.format(new Date(iso))
/** "18 Nov, 17:30". */
export const formatMoment = (iso: string) => moment.format(new Date(iso))
