/** The columns of the list of saved statements. Their IDs are part of URLs: do not rename them. */
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { idColumn } from '#console/records/record/recordColumns.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'

export function statementColumns(connectionId: string): Column<SavedStatement>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 0.7,
      width: 160,
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <TextLink to={paths.sql(connectionId)} search={{ saved: id }} row>
          {name}
        </TextLink>
      ),
    },
    {
      id: 'statement',
      title: 'Statement',
      grow: 1,
      width: 360,
      value: ({ text }) => oneLine(text),
      cell: ({ text }) => <code>{oneLine(text)}</code>,
    },
    { id: 'owner', title: 'Saved by', width: 130, value: ({ author }) => formatBrowser(author) },
    { id: 'used', title: 'Last run', width: 120, type: 'timestamp', value: ({ usedAt }) => usedAt },
    { id: 'updated', title: 'Changed', width: 120, type: 'timestamp', value: ({ updatedAt }) => updatedAt },
    {
      id: 'changedBy',
      title: 'Changed by',
      width: 130,
      hidden: true,
      value: ({ changedBy }) => changedBy && formatBrowser(changedBy),
    },
    {
      id: 'created',
      title: 'Created',
      width: 120,
      type: 'timestamp',
      hidden: true,
      value: ({ createdAt }) => createdAt,
    },
    idColumn(170),
  ]
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
