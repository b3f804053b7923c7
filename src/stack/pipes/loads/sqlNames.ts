/** Names and literals in SQL where parameters are not possible. */

/** A name in backquotes. */
export function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** A name with its database. */
export function qualified(database: string, table: string): string {
  return `${identifier(database)}.${identifier(table)}`
}

/** A text literal with every special byte escaped. */
export function literal(text: string): string {
  return `'${text.replaceAll(/[^A-Za-z0-9 _.-]+/gu, (part) =>
    [...Buffer.from(part)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  )}'`
}
