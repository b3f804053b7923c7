/** A sample of a source, for people who create a pipe: fields with column types, and the first rows. */
import { isSafeNumber, parse } from 'lossless-json'
import { sampleMeta, type Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import type { Column } from './tableDefinition.ts'

/** Records or rows of a sample that are shown. */
export const previewRows = 10
/** Records of a stream that are read for a sample, and their bytes. */
export const sampledRecords = 100
const sampledBytes = 200_000

/** Fields of a sample from columns of the engine: a nullable one is optional. */
export function discoveryOf(
  columns: readonly Column[],
  rows: readonly Record<string, unknown>[],
  sampled: number,
): Discovery {
  return {
    fields: columns.map(({ name, type }) => {
      const inner = /^Nullable\((.*)\)$/s.exec(type)?.[1]
      return inner === undefined ? { name, type } : { name, type: inner, optional: true }
    }),
    meta: sampleMeta({ sampled, preview: rows.slice(0, previewRows) }),
  }
}

/** A sample from records with a JSON object each. @throws Refusal 400 if there is none */
export async function describeRecords(lines: readonly string[], engine: Pick<Engine, 'query'>): Promise<Discovery> {
  const used: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += line.length
    if (bytes > sampledBytes) break
    if (isJsonObject(line)) used.push(line)
  }
  if (used.length === 0) {
    throw refuse(
      lines.length === 0
        ? 'The connection works, but there are no records to read'
        : `The connection works, but none of ${lines.length} records is a JSON object of less than ${sampledBytes / 1000} kB`,
    )
  }
  const columns = await engine.query<Column>(
    `DESCRIBE format('JSONEachRow', {data:String}) SETTINGS schema_inference_make_columns_nullable = 'auto',
     input_format_json_try_infer_numbers_from_strings = 0, input_format_max_rows_to_read_for_schema_inference = ${sampledRecords},
     input_format_json_infer_incomplete_types_as_strings = 1, input_format_json_try_infer_named_tuples_from_objects = 0`,
    { params: { data: used.join('\n') } },
  )
  const rows = used.slice(0, previewRows).map(previewRow)
  return discoveryOf(
    columns.map(({ name, type }) => ({ name, type })),
    rows,
    used.length,
  )
}

/** A record that is an object. Numbers that JavaScript has no room for are texts, with all of their digits. */
function previewRow(line: string): Record<string, unknown> {
  const number = (digits: string) => (isSafeNumber(digits) ? Number(digits) : digits)
  return parse(line, undefined, number) as Record<string, unknown> // checked by `isJsonObject`
}

function isJsonObject(line: string): boolean {
  try {
    return isPlainObject(JSON.parse(line))
  } catch {
    return false
  }
}
