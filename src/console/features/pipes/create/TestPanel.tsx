import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { databaseIn, sampleIn, type Discovery, type FoundServer } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { formatValue } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { pipeRefusals } from '../forms/refusals.ts'
import { fieldLabels } from '../model/fieldLabels.ts'
import type { SourceTest } from './useSourceTest.ts'
import * as css from './newPipe.module.css'

interface TestPanelProps {
  test: SourceTest
  /** The name of the service that connects. */
  service: string
  /** Leads to a field of the source. */
  onEdit: (path: string) => void
  children?: ReactNode
}

/** The test of the connection to the source: it runs when the step is opened, and on demand. */
export function TestPanel({ test, service, onEdit, children }: TestPanelProps) {
  const { reason, isOffered, run, pending, error, found, took } = test
  return (
    <Panel
      title={found ? `Connected in ${formatValue(Math.round(took), 'ms')}` : 'Connection'}
      aside={
        <DisabledReason reason={reason}>
          <Button loading={pending} disabled={reason !== undefined} onClick={run}>
            {found || error ? 'Test again' : 'Test connection'}
          </Button>
        </DisabledReason>
      }
    >
      <Column gap={12}>
        {!isOffered && <Notice tone="info">{reason} Fill in what the source has below.</Notice>}
        {isOffered && error && <TestError error={error} onEdit={onEdit} />}
        {isOffered && !error && !found && (
          <Text color="textSecondary" role="status">
            {pending
              ? `Connecting to the source from ${service}…`
              : `Connects to the source from ${service} and reads a few records. Nothing is stored, and no pipe is created.`}
          </Text>
        )}
        {found && (
          <ul className={css.testFacts} aria-label="Result of the test">
            {factsOf(found).map(({ title, detail, warning }) => (
              <li key={title} className={css.fact} data-warning={warning || undefined}>
                {warning ? <CircleAlert size={14} aria-hidden /> : <CircleCheck size={14} aria-hidden />}
                <span>
                  <strong>{title}</strong>
                  <Text component="span" variant="caption" color="textSecondary" className={css.testDetail}>
                    {detail}
                  </Text>
                </span>
              </li>
            ))}
          </ul>
        )}
        {children}
      </Column>
    </Panel>
  )
}

const labels: Partial<Record<string, string>> = fieldLabels

/** Why the source could not be read, with the way to its field. */
function TestError({ error, onEdit }: { error: ApiFailure; onEdit: TestPanelProps['onEdit'] }) {
  const [refusal] = pipeRefusals(error)
  const label = refusal && labels[refusal.path]
  if (!refusal || !label) return <SubmitError error={formatError(error)} />
  return (
    <Notice tone="error" role="alert" action={<Button onClick={() => onEdit(refusal.path)}>Edit {label}</Button>}>
      <strong>{label}.</strong> {refusal.message}
    </Notice>
  )
}

interface Fact {
  title: string
  detail: string
  warning?: boolean
}

function factsOf({ fields, meta }: Discovery): Fact[] {
  const database = databaseIn(meta)
  if (database) {
    return [
      ...serverFacts(database.server),
      {
        title: counted(database.tables.length, 'table'),
        detail: 'that the user may read',
        warning: database.tables.length === 0,
      },
    ]
  }
  const { sampled } = sampleIn(meta)
  return [
    { title: 'Connected', detail: 'the source can be read' },
    {
      title: fields.length === 0 ? 'No fields found' : `${counted(fields.length, 'field')} found`,
      detail: sampled === 0 ? 'names and types' : `in ${counted(sampled, 'record')}`,
      warning: fields.length === 0,
    },
  ]
}

function serverFacts({ version, walLevel, canReplicate }: FoundServer): Fact[] {
  const isLogical = walLevel === 'logical'
  return [
    { title: `PostgreSQL ${version.split(' ')[0]}`, detail: 'version of the server' },
    {
      title: `wal_level ${walLevel}`,
      detail: isLogical ? 'changes are replicated' : 'changes need logical; new rows are looked for',
      warning: !isLogical,
    },
    {
      title: canReplicate ? 'User may replicate' : 'User may not replicate',
      detail: canReplicate ? 'role with REPLICATION' : 'grant it REPLICATION for changes',
      warning: !canReplicate,
    },
  ]
}
