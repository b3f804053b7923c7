import { counted } from '#domain/text/words.ts'
import { changeCount, type Change } from '../ChangeTable.tsx'
import * as css from './form.module.css'

interface ChangeSummaryProps {
  changes: readonly Change[]
  /** How many requests a save takes. */
  requests: number
}

/** The changes to send, for the bar of a form: in short, and with each field's old and new value and the requests when it is opened. */
export function ChangeSummary({ changes, requests }: ChangeSummaryProps) {
  if (changes.length === 0) return changeCount(changes)
  return (
    <details>
      <summary className={css.changeSummary}>{changeCount(changes)}</summary>
      <ul className={css.changeSummaryChanges}>
        {changes.map(({ title, before, after }) => (
          <li key={title}>
            {title}: <del>{before || 'none'}</del> <ins className={css.changeSummaryAfter}>{after || 'none'}</ins>
          </li>
        ))}
      </ul>
      Takes {counted(requests, 'request')} of the rate limit.
    </details>
  )
}
