/** Converts the form of a new pipe to the request body, and maps errors back to form fields. */
import { get } from 'react-hook-form'
import { z } from 'zod'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { pipeCreateStrict } from '#contract/cloud/pipes/pipeInputs.ts'
import { scalingParametersOf } from '#contract/cloud/pipes/pipeScaling.ts'
import { capitalized } from '#domain/text/words.ts'
import { settingsBody, settingsFor } from '../settings/settingsForm.ts'
import type { ColumnRow, PipeForm } from './pipeForm.ts'
import { sourceTypeBody, requiredFields, omitEmpty, type Body } from './sourceBody.ts'

/** The request body that creates the pipe. */
export function createBody(form: PipeForm): Body {
  const { name, kind, source, scaling, settings } = form
  const parameters = scalingParametersOf(kind).filter((parameter) => scaling[parameter] !== null)
  const tuned = settingsBody(settingsFor(kind), settings, {})
  return {
    ...omitEmpty({ name }),
    source: { [kind]: sourceTypeBody(kind, source) },
    destination: destinationBody(form),
    ...(kind !== 'postgres' && { fieldMappings: form.destination.columns.map(mappingOf) }),
    ...(parameters.length > 0 && {
      scaling: Object.fromEntries(parameters.map((parameter) => [parameter, scaling[parameter]])),
    }),
    ...(Object.keys(tuned).length > 0 && { settings: tuned }),
  }
}

function destinationBody({ kind, destination }: PipeForm): Body {
  const { database, table, managedTable, tableDefinition, columns } = destination
  if (kind === 'postgres') return omitEmpty({ database })
  const { engine, sortingKey, partitionBy, primaryKey } = tableDefinition
  const { type, versionColumnId, columnIds } = engine
  return omitEmpty({
    database,
    table,
    managedTable,
    ...(managedTable && {
      tableDefinition: {
        engine: {
          type,
          ...(type === 'ReplacingMergeTree' && { versionColumnId }),
          ...(type === 'SummingMergeTree' && { columnIds }),
        },
        ...(type !== 'Null' && { sortingKey, partitionBy, primaryKey }),
      },
    }),
    columns: columns.map(columnOf),
  })
}

export const columnOf = ({ name, type }: ColumnRow) => omitEmpty({ name, type })

export const mappingOf = ({ source, name }: ColumnRow) =>
  omitEmpty({ sourceField: source.trim() || name, destinationField: name })

/** Maps a path of the body to a path of the form. */
export function formPath(path: string): string {
  const [, at, part] = /^fieldMappings(?:\.(\d+)(?:\.(\w+))?)?/.exec(path) ?? []
  if (at !== undefined) return `destination.columns.${at}.${part === 'sourceField' ? 'source' : 'name'}`
  if (path.startsWith('fieldMappings')) return 'destination.columns'
  return path.replace(/\.useCustomSortingKey$/, '.sortingKeys')
}

/** Adds issues to a form check: required fields that are empty, then the contract's rules. */
export function addIssues(
  form: PipeForm,
  requiredPaths: readonly string[],
  issues: readonly z.core.$ZodIssue[],
  addIssue: (path: string, message: string) => void,
): void {
  const empty = requiredPaths.filter((path) => get(form, path) === '')
  for (const path of empty) addIssue(path, 'Required')
  const reported = new Set(empty)
  for (const issue of issues) {
    const path = shownPath(form, formPath(issue.path.join('.')))
    if (reported.has(path)) continue
    reported.add(path)
    addIssue(path, capitalized(formatIssue(issue)))
  }
}

/** An empty source field uses the column name, so the missing field is the column name. */
function shownPath(form: PipeForm, path: string): string {
  return /^destination\.columns\.\d+\.source$/.test(path) && get(form, path) === ''
    ? path.replace(/source$/, 'name')
    : path
}

/** The schema of a new pipe. */
export const createSchema = z.custom<PipeForm>().superRefine((form, context) => {
  const { error } = pipeCreateStrict.safeParse(createBody(form))
  const addIssue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: pathSegments(path), message })
  if (form.serviceId === '') addIssue('serviceId', 'Required')
  // The contract reports a missing table only once everything else is valid; the form reports it at once.
  const table = form.kind === 'postgres' ? [] : ['destination.table']
  addIssues(form, [...requiredFields(form.kind, form.source), ...table], error?.issues ?? [], addIssue)
})

/** `a.0.b` as the path segments of an issue. */
export const pathSegments = (path: string): (string | number)[] =>
  path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The paths of all form fields. */
export function leafPaths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, item]) => leafPaths(item, at ? `${at}.${key}` : key))
  return Array.isArray(value) ? [at, ...inner] : inner
}

/** The field at the start of an error message: `BAD_REQUEST: source.objectStorage.url: no such folder`. */
export function fieldErrorOf(message: string): { path: string; message: string } | null {
  const [, path, rest] =
    /^(?:[A-Z_]+: )?((?:name|source|destination|fieldMappings|scaling|settings)(?:\.\w+)*): (.+)$/s.exec(message) ?? []
  return path && rest ? { path, message: capitalized(rest) } : null
}
