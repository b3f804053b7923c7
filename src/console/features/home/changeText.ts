/** Words of the last changes. */
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { kindLabel } from '#console/shell/runs/kinds.tsx'
import type { Change } from '#contract/history.ts'
import { counted } from '#domain/text/words.ts'
import type { HomeEnvironment } from './useHome.ts'

/** Who made a change: the person or browser that sent it, or that it was not made in this console. */
export function formatAuthor({ cause, actor }: Pick<Change, 'cause' | 'actor'>): string {
  if (cause === 'outside') return 'Outside'
  return actor ? formatBrowser(actor) : 'This console'
}

const verbs: Record<Change['action'], string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  operated: 'operated',
}

/** "changed the alert"; the name follows. */
export const formatAction = ({ action, kind }: Pick<Change, 'action' | 'kind'>): string =>
  `${verbs[action]} ${kindLabel(kind).one}`

/** "3 fields", "promotion"; empty where there is nothing to add. */
export function formatChangeDetail({ action, fields, cause }: Pick<Change, 'action' | 'fields' | 'cause'>): string {
  const causes: Partial<Record<Change['cause'], string>> = {
    promotion: 'by a promotion',
    restore: 'by a restore',
    undo: 'by an undo',
    fileImport: 'by an import',
  }
  const parts = [action === 'updated' && fields !== undefined && counted(fields, 'field'), causes[cause]]
  return parts.filter(Boolean).join(', ')
}

export interface PlacedChange {
  change: Change
  environment: HomeEnvironment
}

/** The last changes of all connections, the newest first; one that several connections show, once. */
export function lastChanges(environments: readonly HomeEnvironment[], count: number): PlacedChange[] {
  const ids = new Set(environments.map(({ connection }) => connection.id))
  return environments
    .flatMap((environment) => (environment.changes ?? []).map((change) => ({ change, environment })))
    .filter(({ change, environment }) => {
      const sentThrough = change.connectionId
      return sentThrough === undefined || sentThrough === environment.connection.id || !ids.has(sentThrough)
    })
    .toSorted((a, b) => b.change.at.localeCompare(a.change.at))
    .slice(0, count)
}
