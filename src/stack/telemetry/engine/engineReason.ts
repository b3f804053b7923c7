/** Messages for errors of the engine. Its own texts contain internals. */
import type { EngineError } from './engineError.ts'

/** By the engine's error codes. */
const reasons: Readonly<Record<number, string>> = {
  6: 'a text cannot be converted to the type: use a function that ends in OrNull, such as toFloat64OrNull',
  27: 'a text cannot be converted to the type: use a function that ends in OrNull, such as toFloat64OrNull',
  32: 'a text is too short for the type: use a function that ends in OrNull',
  36: 'a function does not accept this argument',
  38: 'a text cannot be converted to a date: use toDateOrNull or parseDateTimeBestEffortOrNull',
  41: 'a text cannot be converted to a time: use toDateTimeOrNull or parseDateTimeBestEffortOrNull',
  42: 'a function has too many or too few arguments',
  43: 'a function does not accept values of this type: convert them, as in toString(…) or toFloat64OrNull(…)',
  44: 'a function needs a constant instead of a column',
  46: 'the function does not exist',
  47: 'the column does not exist',
  48: 'the engine does not support this',
  50: 'the type does not exist',
  53: 'values of these types cannot be compared: convert one of them, as in toString(…) or toFloat64OrNull(…)',
  69: 'an argument is out of bounds',
  70: 'a value cannot be converted to this type',
  72: 'a text cannot be converted to a number: use a function that ends in OrNull, such as toFloat64OrNull',
  125: 'a single value is expected here',
  131: 'a text would become too long',
  153: 'division by zero: avoid it, as in if(b = 0, 0, a / b)',
  158: 'too many groups: group by fewer fields, or by fields with fewer values',
  159: 'the query took too long: shorten the time range, or filter more',
  160: 'the query would take too long: shorten the time range, or filter more',
  179: 'a name is used twice',
  184: 'an aggregate is inside of another one, or where a value of one row is expected',
  190: 'the arrays have different lengths',
  215: 'a column is outside of an aggregate: use one, as in max(…) or any(…), or group by it',
  241: 'the query needs too much memory: shorten the time range, group by less, or filter more',
  349: 'a value that may be null cannot be converted: use coalesce(…)',
  386: 'these values have no common type: convert them, as in toString(…)',
}

/** The quoted name or value in the engine's message that comes from the user's text. */
function subjectIn(message: string, text: string): string | undefined {
  const quoted = [...message.matchAll(/`([^`]+)`|'([^']+)'|\bfunction (\w+)/gi)].map(([, ...found]) =>
    found.find(Boolean),
  )
  return quoted.find((part) => part !== undefined && text.includes(part))
}

/**
 * @param text the user's text, if known
 * @param otherwise the reason for an error that has no message here
 */
export function engineReason({ code, type, message }: EngineError, text = '', otherwise?: string): string {
  const reason = reasons[code] ?? otherwise ?? `the engine cannot do this (${type.toLowerCase().replaceAll('_', ' ')})`
  const subject = subjectIn(message, text)
  const suggestion = /did you mean '(\w[\w.]*)'/.exec(message)?.[1]
  return `${subject ? `"${subject}": ` : ''}${reason}${suggestion ? `; did you mean ${suggestion}?` : ''}`
}
