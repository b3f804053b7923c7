import { visibleText } from '#domain/text/visibleText.ts'
import { counted, inSentence } from '#domain/text/words.ts'
import * as base from '#console/ui/base/base.module.css'
import * as css from './ui.module.css'

export interface Change {
  title: string
  /** As it is read: "0.25 vCPU". Empty is none. */
  before: string
  after: string
}

/** Lists changes by field: the current and the new value. */
export function ChangeTable({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <table className={base.table} aria-label={label}>
      <thead>
        <tr>
          <th>Field</th>
          <th>Current</th>
          <th>New</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ title, before, after }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td className={css.changeTableBefore}>{visibleText(before) || 'none'}</td>
            <td className={css.changeTableAfter}>{visibleText(after) || 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Why an edit cannot be sent without a change; undefined if there is one. */
export function withoutChange(changes: readonly Change[]): string | undefined {
  return changes.length === 0 ? 'No changes yet.' : undefined
}

/** "2 changes: replicas, memory", for the bar of a form. */
export function changeCount(changes: readonly Change[]): string {
  if (changes.length === 0) return 'No changes'
  const titles = changes.map(({ title }) => inSentence(title)).join(', ')
  return `${counted(changes.length, 'change')}: ${titles}`
}
