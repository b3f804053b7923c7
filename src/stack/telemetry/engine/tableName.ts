/** Names of the engine's databases, tables and columns, in SQL. */

export interface TableName {
  /** Empty for the connection's own. */
  database: string
  table: string
}

export function tableSql({ database, table }: TableName): string {
  return database ? `${quoted(database)}.${quoted(table)}` : quoted(table)
}

/** An identifier that nothing can break out of. */
export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll(/[\\`]/g, (character) => `\\${character}`)}\``
}
