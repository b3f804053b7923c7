/** The columns that lists of records have in common. Their IDs are part of URLs: do not rename them. */
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { Column } from '#console/ui/table/columns.ts'

interface NameColumn<Row> {
  grow: number
  width: number
  name: (row: Row) => string
  /** The page of the record. */
  to: (row: Row) => string
}

/** The name of a record, with a link to its page. */
export const nameColumn = <Row,>({ name, to, ...size }: NameColumn<Row>): Column<Row> => ({
  ...size,
  id: 'name',
  title: 'Name',
  value: name,
  cell: (row) => (
    <TextLink to={to(row)} row>
      {name(row)}
    </TextLink>
  ),
})

/** The ID of a record, hidden until it is chosen. @param width in pixels */
export const idColumn = <Row extends { id: string }>(width: number): Column<Row> => ({
  id: 'id',
  title: 'ID',
  width,
  hidden: true,
  value: ({ id }) => id,
  cell: ({ id }) => <code>{id}</code>,
})
