import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { asFailure } from '#console/api/failure.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { storage, type StorageReport, type TableStorage } from '#contract/stack/storage.ts'
import { RetentionPanel } from './RetentionPanel.tsx'
import {
  bytesOf,
  forecastOf,
  forecastSentence,
  formatBytes,
  formatPart,
  isSoon,
  formatDays,
  formatRatio,
} from './storageText.ts'
import * as css from './storage.module.css'
import { formatValue } from '#domain/charts/units.ts'

export const reads = pageReads(storage.get)

/** Disk use of telemetry, its retention, and when the disk will be full. */
export default function StoragePage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'storage', storage.get.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, storage.get, {}), enabled: reason === undefined })
  const isMissing = reason !== undefined || (error !== null && asFailure(error).code === 'notOffered')
  return (
    <Page title="Storage" lead="What telemetry takes on the disk, and for how long it is kept. Days are days of UTC.">
      {isMissing ? (
        <Text color="textSecondary">This deployment does not report its storage: whoever runs it sees it there.</Text>
      ) : (
        <>
          {error && <QueryError error={error} onRetry={() => void refetch()} />}
          {!data && !error && <LoadingPanels heights={[110, 190, 320]} />}
          {data && <Report report={data} />}
        </>
      )}
    </Page>
  )
}

function Report({ report }: { report: StorageReport }) {
  const now = useNow()
  const { tables, unreadable, folder } = report
  return (
    <Column gap={16}>
      <Disk report={report} now={now} />
      {unreadable !== undefined && (
        <Notice tone="info">The server does not let this stack read the sizes of its tables: {unreadable}</Notice>
      )}
      <RetentionPanel report={report} now={now} />
      {tables && <TablesPanel tables={tables} />}
      {folder.length > 0 && (
        <Panel title="Other files in the data folder" aside={formatBytes(bytesOf(folder))} flush>
          <SmallTable label="Other files in the data folder" heads={['For', { title: 'Size', number: true }]}>
            {folder
              .toSorted((a, b) => b.bytes - a.bytes)
              .map(({ part, bytes }) => (
                <tr key={part}>
                  <th scope="row">{formatPart(part)}</th>
                  <td className={base.tableNumber}>{formatBytes(bytes)}</td>
                </tr>
              ))}
          </SmallTable>
        </Panel>
      )}
    </Column>
  )
}

function Disk({ report, now }: { report: StorageReport; now: number }) {
  const { disk, tables = [] } = report
  if (!disk) return null
  const found = forecastOf(report, now)
  const share = disk.totalBytes === 0 ? 0 : 1 - disk.freeBytes / disk.totalBytes
  return (
    <Panel title="Disk" aside={`${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free`}>
      <Progress share={share} aria-label="Disk in use" className={css.disk} />
      <Text>
        Telemetry takes {formatBytes(bytesOf(tables))}. {found !== undefined && forecastSentence(found)}
      </Text>
      {isSoon(found) && (
        <div className={css.soon}>
          <Notice tone="warning">Shorten a retention below, send less, or make room on the disk.</Notice>
        </div>
      )}
    </Panel>
  )
}

/** The tables of telemetry with their sizes, and what their indexes cost. */
function TablesPanel({ tables }: { tables: readonly TableStorage[] }) {
  const indexes = tables.flatMap((of) => of.indexes.map((index) => ({ ...index, of })))
  return (
    <>
      <Panel title="Tables" aside={formatBytes(bytesOf(tables))} flush>
        <SmallTable
          label="Tables"
          heads={[
            'Table',
            { title: 'Rows', number: true },
            { title: 'Size', number: true },
            { title: 'Compressed', number: true },
            { title: 'Indexes', number: true },
            'Days',
          ]}
        >
          {tables.map((table) => (
            <tr key={table.name}>
              <th scope="row" className={css.name}>
                {table.name}
              </th>
              <td className={base.tableNumber}>{formatValue(table.rows)}</td>
              <td className={base.tableNumber}>{formatBytes(table.bytes)}</td>
              <td className={base.tableNumber}>{formatRatio(table)}</td>
              <td className={base.tableNumber}>{table.indexes.length > 0 && formatBytes(bytesOf(table.indexes))}</td>
              <td className={css.days}>{formatDays(table)}</td>
            </tr>
          ))}
        </SmallTable>
      </Panel>
      <Panel title="Secondary indexes" aside={formatBytes(bytesOf(indexes))} flush>
        {indexes.length === 0 ? (
          <PanelText>The tables have none.</PanelText>
        ) : (
          <SmallTable
            label="Secondary indexes"
            heads={['Index', 'Table', 'Type', { title: 'Size', number: true }, { title: 'Of its table', number: true }]}
          >
            {indexes.map(({ name, type, bytes, of }) => (
              <tr key={`${of.name} ${name}`}>
                <th scope="row" className={css.name}>
                  {name}
                </th>
                <td className={css.name}>{of.name}</td>
                <td>{type}</td>
                <td className={base.tableNumber}>{formatBytes(bytes)}</td>
                <td className={base.tableNumber}>
                  {of.bytes > 0 && formatValue(Number(((100 * bytes) / of.bytes).toPrecision(2)), 'percent')}
                </td>
              </tr>
            ))}
          </SmallTable>
        )}
      </Panel>
    </>
  )
}
