import { Timestamp } from '#console/ui/Timestamp.tsx'
import { useChangeLog } from './changeLog.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../records.module.css'

/** The changes made to a resource in this browser. */
export function ChangeHistory({ resource }: { resource: string }) {
  const entries = useChangeLog(resource)
  if (entries.length === 0) {
    return <Text color="textSecondary">No changes made in this browser.</Text>
  }
  return (
    <ol className={css.changeHistory}>
      {entries.map(({ at, what, changes }) => (
        <li key={at}>
          {what}{' '}
          <Text component="span" color="textSecondary">
            <Timestamp iso={new Date(at).toISOString()} />
          </Text>
          <ul className={css.historyChanges}>
            {changes.map(({ title, before, after }) => (
              <li key={title}>
                {title}: <del>{before || 'none'}</del> → {after || 'none'}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}
