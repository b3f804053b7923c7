/**
 * Values of attributes and columns in a roll-up, and those that are left out of it: values that most rows have for themselves, such
 * as IDs, would take as much room as the rows. A row of its own counts the values that are left out of a step, so that charts of that
 * attribute read its day from the rows.
 */
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { textLiteral } from '../engine/params.ts'
import { keyColumns, labelOf, valueColumn, type RolledValues, type RowLabel } from './rollup.ts'

/** Bytes of the longest value. */
const maxLength = 128
/** Different values of an attribute on a day. Beyond them, all of its values on that day are left out. */
export const maxValuesOfDay = 1000
/** Names of attributes of a map: in a step of an insert, and on a day. Beyond them, the values of the whole map are left out. */
export const maxNames = 1000
/** Values of an attribute in an insert. Beyond them, the attribute is left out of it if each value has fewer than two rows on average. */
const maxRareValues = 100

/** The name and key in the rows that count all rows. */
export const allRows: RowLabel = { map: '', key: '' }

/**
 * Whether a row of the roll-up says that values of an attribute are left out: those of the attribute, or those of its whole map,
 * where it has no name.
 * @param map SQL of the name of the map, as that of the key
 */
export function leftOutSql(map: string, key: string): string {
  return `${keyColumns.map} = '' AND ${keyColumns.key} = ${map} AND ${valueColumn} IN (${key}, '')`
}

const { map, key } = keyColumns

interface ValuesSource {
  base: TableName
  /** The column with the time. */
  time: string
  /** The beginning of the step of a row, under the name of the time. */
  start: string
  /** A condition on the rows, with WHERE; or nothing. */
  where: string
}

/** The rows of the roll-up, from those of its table. */
export function selectOfValues(values: RolledValues, source: ValuesSource): string {
  const { time } = source
  const [ofRows = '', ...shared] = values.maps
  const all = [
    ofMap(ofRows, { ...source, isShared: false }),
    ...shared.map((name) => ofMap(name, { ...source, isShared: true })),
    ofColumns(values.columns, source),
  ].join('\nUNION ALL ')
  const isRare = `count() > ${maxRareValues} AND count() * 2 > sum(rows)`
  // The rows of an insert are too few to be worth the work of a second thread. Many values are left out, and no error.
  return `SELECT ${time}, entry.1 AS ${map}, entry.2 AS ${key}, entry.3 AS ${valueColumn}, entry.4 AS count FROM (
    SELECT ${time}, name, if(count() > ${maxNames}, [('', name, '', toUInt64(sum(number)))], groupArrayArray(entries)) AS labeled FROM (
    SELECT ${time}, name, label, sum(rows) AS number,
      if(count() > ${maxValuesOfDay} OR (${isRare}), [], groupArrayIf((text, rows), length(text) <= ${maxLength})) AS kept,
      toUInt64(sum(rows) - arraySum(one -> one.2, kept)) AS missing,
      arrayConcat(arrayMap(one -> (name, label, one.1, one.2), kept), if(missing > 0, [('', name, label, missing)], [])) AS entries
    FROM (SELECT ${time}, name, label, text, sum(number) AS rows FROM (${all}) GROUP BY ${time}, name, label, text)
    GROUP BY ${time}, name, label) GROUP BY ${time}, name) ARRAY JOIN labeled AS entry SETTINGS max_threads = 1, max_rows_to_group_by = 0`
}

/** The values of a map. @param isShared whether many rows have the same one: it is cheaper to find these first */
function ofMap(name: string, { base, time, start, where, isShared }: ValuesSource & { isShared: boolean }): string {
  const column = quoted(name)
  const counted = isShared ? `count() AS number` : '1 AS number'
  const grouped = isShared ? ` GROUP BY ${time}, ${column}` : ''
  // A map may have a key twice, of which the first one is its value. Nobody asks for the value of an empty key.
  return `SELECT ${time}, ${textLiteral(name)} AS name, label, text, number
    FROM (SELECT ${start}, ${column}, ${counted} FROM ${tableSql(base)}${where}${grouped})
    ARRAY JOIN mapKeys(${column}) AS label, mapValues(${column}) AS text, arrayEnumerateUniq(mapKeys(${column})) AS place
    WHERE place = 1 AND label != ''`
}

function ofColumns(columns: readonly string[], { base, time, start, where }: ValuesSource): string {
  const list = columns.map(quoted).join(', ')
  const values = columns.map((column) => {
    const label = labelOf({ column })
    return `(${textLiteral(label.map)}, ${textLiteral(label.key)}, ${quoted(column)})`
  })
  return `SELECT ${time}, value.1 AS name, value.2 AS label, value.3 AS text, number
    FROM (SELECT ${start}, ${list}, count() AS number FROM ${tableSql(base)}${where} GROUP BY ${time}, ${list})
    ARRAY JOIN [('${allRows.map}', '${allRows.key}', ''), ${values.join(', ')}] AS value`
}
