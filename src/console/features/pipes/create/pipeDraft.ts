/** The unfinished pipe of a person on a connection in this browser: what was entered, without anything that is or contains a secret. */
import { isPlainObject } from '#domain/json/plainObject.ts'
import { maskSecrets } from '../model/sourceFacts.ts'
import { creatableKinds, emptyColumn, emptyForm, emptyTable, type PipeForm } from '../forms/pipeForm.ts'

export interface PipeDraft {
  form: PipeForm
  /** Epoch milliseconds of the last change. */
  at: number
}

/** The key of a person's draft: the next person in this browser is not offered it. */
const keyOf = (owner: string) => `stack-console.pipe-draft/${owner}`

export function keepPipeDraft(owner: string, form: PipeForm, at: number): void {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify({ form: withoutSecrets(form), at }))
  } catch {
    // A browser that keeps nothing keeps no draft.
  }
}

export function forgetPipeDraft(owner: string): void {
  try {
    localStorage.removeItem(keyOf(owner))
  } catch {
    // Nothing was kept.
  }
}

/** The draft on top of an empty form, because what is stored may come from another version; null if there is none. */
export function readPipeDraft(owner: string): PipeDraft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(owner)) ?? 'null')
    if (!isPlainObject(stored) || typeof stored.at !== 'number') return null
    const form = onTop(emptyForm(''), stored.form)
    const kind = creatableKinds.find((creatableKind) => creatableKind === form.kind)
    return kind ? { form: { ...form, kind }, at: stored.at } : null
  } catch {
    return null
  }
}

/** Whether a text has a user with a password before a host: `user:secret@host`, in whatever field. */
const namesUser = (text: string): boolean =>
  text.split(/\s/).some((word) => word.includes(':') && word.indexOf(':') < word.lastIndexOf('@'))

/** Empties what is shown masked elsewhere: fields by their name, and addresses with a user or a query. */
function withoutSecrets(form: PipeForm): PipeForm {
  return { ...form, source: emptied(form.source, maskSecrets(form.source)) }
}

/** A value, with an empty text wherever it differs from another one. */
function emptied<T>(value: T, shown: unknown): T {
  if (typeof value === 'string') return (value === shown && !namesUser(value) ? value : '') as T // a text
  if (Array.isArray(value) || !isPlainObject(value)) return value
  const parts = isPlainObject(shown) ? shown : {}
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, emptied(part, parts[key])])) as T // the same keys
}

/** Items of lists, by the path of the list. */
const items: Record<string, unknown> = {
  'destination.columns': emptyColumn,
  'source.postgres.tableMappings': emptyTable,
}

/** A form with the values of another one, as far as they have the same types. */
function onTop<T>(template: T, stored: unknown, path = ''): T {
  if (Array.isArray(template)) {
    const item = items[path] ?? ''
    return (Array.isArray(stored) ? stored.map((element) => onTop(item, element)) : template) as T // items of the list
  }
  if (isPlainObject(template)) {
    const parts = isPlainObject(stored) ? stored : {}
    const filled = Object.entries(template).map(([key, part]) => [
      key,
      onTop(part, parts[key], path ? `${path}.${key}` : key),
    ])
    return Object.fromEntries(filled) as T // the keys of the template
  }
  // Numbers of the form are empty as null.
  const isNumber = typeof stored === 'number' && (template === null || typeof template === 'number')
  return isNumber || typeof stored === typeof template ? (stored as T) : template
}
