/** The input of a description of a record kind, and what it returns. */
import type { JsonObject } from '../json/json.ts'
import { serverFields } from '../records/comparable.ts'
import type { ReferenceKind } from '#contract/stack/recordKinds.ts'
import type { ExportedKind } from './exportedKinds.ts'
import type { Block, Expression } from './hcl.ts'

export interface Scope {
  /** The id of another record: a reference if it is written too, else the id itself. */
  idOf(kind: ReferenceKind, id: string): string | Expression
  /** The id of a dashboard's tile, likewise. */
  tileIdOf(dashboardId: string, tileId: string): string | Expression
  /** A value that whoever applies the file provides. */
  secret(attribute: string, description: string): Expression
  /** One sentence about what the provider cannot hold. */
  note(sentence: string): void
  /** The file needs at least this version of the provider. */
  needs(version: string): void
}

/** The attributes of a record's resource; null if the provider cannot hold it, which a note says. */
export type Description = (record: JsonObject, scope: Scope) => Block['attributes'] | null

export type Descriptions = Record<ExportedKind, Description>

/** Notes the fields that the provider does not have. */
export function noteUnknownFields(record: JsonObject, known: Iterable<string>, scope: Scope): void {
  const names = new Set([...serverFields, ...known])
  const unknown = Object.keys(record).filter((key) => !names.has(key) && hasContent(record[key]))
  if (unknown.length > 0) scope.note(unknownFieldsText(unknown))
}

/** @param names such as `renotifyIntervalMinutes` */
export function unknownFieldsText(names: readonly string[]): string {
  return `The provider does not have ${names.join(', ')}: the deployment keeps this until a change through Terraform.`
}

/** Whether a field holds something that could be lost. */
export function hasContent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}
