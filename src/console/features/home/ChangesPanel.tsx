import { Fragment, useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { KindIcon, recordName } from '#console/shell/recordKinds.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import {
  authorsOf,
  formatAction,
  formatAuthor,
  formatChangeDetail,
  lastChanges,
  type PlacedChange,
} from './changeText.ts'
import { ConnectionSuffix } from './ConnectionSuffix.tsx'
import type { HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

const shown = 8

/** The value that stands for all authors. None is empty. */
const everyone = ''

/** The last changes of all connections, with their authors. */
export function ChangesPanel({ environments }: { environments: readonly HomeEnvironment[] }) {
  const [chosen, setChosen] = useState(everyone)
  const authors = authorsOf(environments)
  // The chosen author may have made none of the changes that were read since.
  const author = authors.includes(chosen) ? chosen : everyone
  const changes = lastChanges(environments, shown, author === everyone ? undefined : author)
  const unread = environments.filter((environment) => environment.changes === null)
  const isReading = environments.some((environment) => environment.changes === undefined)
  const [first] = environments
  return (
    <Panel
      title="Recent changes"
      flush
      aside={
        <>
          {authors.length > 1 && (
            <SelectInput
              label="Author"
              hiddenLabel
              value={author}
              options={[
                { value: everyone, label: 'Everyone' },
                ...authors.map((name) => ({ value: name, label: name })),
              ]}
              onChange={setChosen}
              minWidth={120}
            />
          )}
          {first && environments.length === 1 && <TextLink to={paths.history(first.connection.id)}>History</TextLink>}
        </>
      }
    >
      {changes.length > 0 && (
        <ol className={css.changes} aria-label="Recent changes">
          {changes.map((placed) => (
            <ChangeLine key={`${placed.environment.connection.id}/${placed.change.id}`} {...placed} />
          ))}
        </ol>
      )}
      {changes.length === 0 && isReading && <LoadingPanels heights={[64]} />}
      {changes.length === 0 && !isReading && unread.length < environments.length && (
        <PanelText>
          No changes yet. Those made in this console appear here at once, others when it reads the records.
        </PanelText>
      )}
      {unread.length > 0 && (
        <PanelText>
          The history of {unread.map(({ connection }) => visibleText(connection.name)).join(', ')} could not be read.
        </PanelText>
      )}
    </Panel>
  )
}

/** Names of a line; the history has the others. */
const named = 3

function ChangeLine({ change, others, environment: { connection } }: PlacedChange) {
  const all = [change, ...others]
  // The fields of several records are not one number.
  const detail = formatChangeDetail(all.length > 1 ? { ...change, action: 'created' } : change)
  return (
    <li className={css.change}>
      <time dateTime={change.at} className={css.muted}>
        {formatRecentDay(change.at)}
      </time>
      <KindIcon kind={change.kind} />
      <span className={css.changeText}>
        <b>{visibleText(formatAuthor(change))}</b> {formatAction(change, all.length)}{' '}
        {all.slice(0, named).map(({ id, kind, name }, at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <TextLink to={paths.history(connection.id)} search={{ change: String(id) }} underline="always">
              {visibleText(recordName(kind, name))}
            </TextLink>
          </Fragment>
        ))}
        {all.length > named && (
          <>
            {' and '}
            <TextLink to={paths.history(connection.id)} underline="always">
              {all.length - named} more
            </TextLink>
          </>
        )}
        {detail && <span className={css.muted}>, {detail}</span>}
      </span>
      {change.cause === 'outside' && <StatusChip tone="warn">not from this console</StatusChip>}
      {change.outcome === 'unknown' && <StatusChip tone="warn">outcome unknown</StatusChip>}
      <ConnectionSuffix connection={connection} />
    </li>
  )
}
