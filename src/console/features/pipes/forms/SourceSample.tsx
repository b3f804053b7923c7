import { PlugZap } from 'lucide-react'
import { get, useWatch, type Control } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import { useFeatureOffer } from '#console/api/features/useFeatureOffer.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import table from '#console/ui/base/table.module.css'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { sampleIn, type DiscoveredField, type Discovery } from '#contract/pipeDiscovery.ts'
import { pipes } from '#contract/pipes.ts'
import { counted } from '#domain/text/words.ts'
import type { ColumnRow, PipeForm } from './pipeForm.ts'
import { columnName } from './sampleColumns.ts'
import { requiredFields, sourceTypeBody } from './sourceBody.ts'
import css from './SourceSample.module.css'

const notOffered = 'This deployment’s API does not offer samples of sources.'

interface SourceSampleProps {
  control: Control<PipeForm>
  /** Fills the columns of the form. Pipes of databases have none. */
  onUse?: (columns: ColumnRow[]) => void
}

/** Tests the connection to the source, shows its first records, and proposes columns for them. */
export function SourceSample({ control, onUse }: SourceSampleProps) {
  const connection = useConnection()
  // A form has all of its fields from the start.
  const form = useWatch({ control }) as PipeForm
  const isOffered = useFeatureOffer(connection, pipes.discover)
  const { kind, serviceId, source } = form
  const body = { source: { [kind]: sourceTypeBody(kind, source) } }
  const sent = JSON.stringify([serviceId, body])
  const sample = useApiMutation(connection.id, pipes.discover)
  const isCurrent = JSON.stringify([sample.variables?.params.serviceId, sample.variables?.body]) === sent
  const isIncomplete = serviceId === '' || requiredFields(kind, source).some((path) => get(form, path) === '')
  const reason = isOffered
    ? (lockReason(connection) ?? (isIncomplete ? 'Fill in source and credentials first.' : undefined))
    : notOffered
  return (
    <Column gap={12}>
      <Text color="textSecondary">
        Connects to the source and reads a few records. Nothing is stored, and no pipe is created.
      </Text>
      <div>
        <DisabledReason reason={reason}>
          <Button
            startIcon={<PlugZap size={14} aria-hidden />}
            loading={sample.isPending}
            disabled={reason !== undefined}
            onClick={() => sample.mutate({ params: { serviceId }, body })}
          >
            Test and read a sample
          </Button>
        </DisabledReason>
      </div>
      {!isOffered && <Notice tone="info">{notOffered}</Notice>}
      {isOffered && isCurrent && sample.error && <SubmitError error={formatError(sample.error)} />}
      {isCurrent && sample.data && <Result discovery={sample.data} {...(onUse && { onUse })} />}
    </Column>
  )
}

type ResultProps = Pick<SourceSampleProps, 'onUse'> & { discovery: Discovery }

function Result({ discovery: { fields, meta }, onUse }: ResultProps) {
  const { sampled, preview } = sampleIn(meta)
  const columns = fields.map(columnOf)
  return (
    <>
      <Notice tone="success" role="status">
        The connection works. {foundIn(fields.length, sampled)}
      </Notice>
      {fields.length > 0 && (
        <ScrollRegion label="Sample of the source" className={css.sample}>
          <table className={table.table}>
            <thead>
              <tr>
                {fields.map(({ name, type, optional }) => (
                  <th key={name} scope="col">
                    {name}
                    <div className={css.type}>{optional ? `${type}, optional` : type}</div>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {preview.map((row, at) => (
                // A sample does not change, and its rows have no id.
                <tr key={at}>
                  {fields.map(({ name }) => (
                    <td key={name} className={css.value}>
                      {shown(row[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {onUse && fields.length > 0 && (
        <div>
          <Button onClick={() => onUse(columns)}>
            {columns.length === 1 ? 'Use this column' : `Use these ${columns.length} columns`}
          </Button>
        </div>
      )}
    </>
  )
}

function foundIn(fields: number, records: number): string {
  if (fields === 0) return 'No fields were found.'
  const found = `${counted(fields, 'field')} found`
  return records === 0 ? `${found}.` : `${found} in ${counted(records, 'record')}.`
}

function columnOf({ name, type, optional }: DiscoveredField): ColumnRow {
  const column = columnName(name)
  const canBeNull = optional && !/^(?:Array|Map|Tuple|Nested|JSON|Dynamic|Variant)\b/.test(type)
  return { source: column === name ? '' : name, name: column, type: canBeNull ? `Nullable(${type})` : type }
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
