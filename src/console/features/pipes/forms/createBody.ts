/** Between the form of a new pipe and what is sent, and where the form shows what is wrong with that. */
import { get } from 'react-hook-form'
import { z } from 'zod'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { pipeCreateStrict } from '#contract/pipeInputs.ts'
import { scalingParametersOf } from '#contract/pipeScaling.ts'
import { settingsBody, settingsFor } from '../settings/settingsForm.ts'
import type { ColumnRow, PipeForm } from './pipeForm.ts'
import { sourceTypeBody, requiredFields, omitEmpty, type Body } from './sourceBody.ts'
import { capitalized } from '#console/ui/format.ts'

/** The body that makes the pipe of the form. */
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

/** Where the form shows a place of the body. */
export function formPath(path: string): string {
  const [, at, part] = /^fieldMappings(?:\.(\d+)(?:\.(\w+))?)?/.exec(path) ?? []
  if (at !== undefined) return `destination.columns.${at}.${part === 'sourceField' ? 'source' : 'name'}`
  if (path.startsWith('fieldMappings')) return 'destination.columns'
  return path.replace(/\.useCustomSortingKey$/, '.sortingKeys')
}

/** Adds what is wrong to a form's check: what the choices need and is empty, then the contract's rules. */
export function addIssues(
  form: PipeForm,
  requiredPaths: readonly string[],
  issues: readonly z.core.$ZodIssue[],
  addIssue: (path: string, message: string) => void,
): void {
  const empty = requiredPaths.filter((path) => get(form, path) === '')
  for (const path of empty) addIssue(path, 'Required')
  const told = new Set(empty)
  for (const issue of issues) {
    const path = shownPath(form, formPath(issue.path.join('.')))
    if (told.has(path)) continue
    told.add(path)
    addIssue(path, capitalized(formatIssue(issue)))
  }
}

/** A field of the source that is left empty is the column's name: then that is what is missing. */
function shownPath(form: PipeForm, path: string): string {
  return /^destination\.columns\.\d+\.source$/.test(path) && get(form, path) === ''
    ? path.replace(/source$/, 'name')
    : path
}

/** The rules of create. */
export const createSchema = z.custom<PipeForm>().superRefine((form, context) => {
  const { error } = pipeCreateStrict.safeParse(createBody(form))
  const addIssue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: pathSegments(path), message })
  if (form.serviceId === '') addIssue('serviceId', 'Required')
  // The contract asks for the table once all else is right: a person hears of it at once.
  const table = form.kind === 'postgres' ? [] : ['destination.table']
  addIssues(form, [...requiredFields(form.kind, form.source), ...table], error?.issues ?? [], addIssue)
})

/** `a.0.b` as the steps that a resolver reads. */
export const pathSegments = (path: string): (string | number)[] =>
  path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** Every place of the form that has a value of its own. */
export function leafPaths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([key, item]) => leafPaths(item, at ? `${at}.${key}` : key))
  return Array.isArray(value) ? [at, ...inner] : inner
}

/** A field that the text of a refusal begins with: `BAD_REQUEST: source.objectStorage.url: no such folder`. */
export function fieldErrorOf(message: string): { path: string; message: string } | null {
  const [, path, rest] =
    /^(?:[A-Z_]+: )?((?:name|source|destination|fieldMappings|scaling|settings)(?:\.\w+)*): (.+)$/s.exec(message) ?? []
  return path && rest ? { path, message: capitalized(rest) } : null
}
