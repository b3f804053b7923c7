/** Why the engine refused an expression or a query, as a sentence of ours: its own text speaks of its inside. */
import type { EngineError } from './engineError.ts'

/** By the engine's own codes. */
const reasons: Readonly<Record<number, string>> = {
  6: 'a text cannot be read as the type that is asked for: use a function that ends in OrNull, such as toFloat64OrNull',
  27: 'a text cannot be read as the type that is asked for: use a function that ends in OrNull, such as toFloat64OrNull',
  32: 'a text ends before it can be read as the type that is asked for: use a function that ends in OrNull',
  36: 'a function does not take this argument',
  38: 'a text cannot be read as a date: use toDateOrNull or parseDateTimeBestEffortOrNull',
  41: 'a text cannot be read as a time: use toDateTimeOrNull or parseDateTimeBestEffortOrNull',
  42: 'a function has too many or too few arguments',
  43: 'a function does not take values of this type: convert them, as in toString(…) or toFloat64OrNull(…)',
  44: 'a function needs a constant where a column stands',
  46: 'there is no such function',
  47: 'there is no such column',
  48: 'the engine does not support this',
  50: 'there is no such type',
  53: 'values of these types cannot be compared: convert one of them, as in toString(…) or toFloat64OrNull(…)',
  69: 'an argument is out of bounds',
  70: 'a value cannot be converted to this type',
  72: 'a text cannot be read as a number: use a function that ends in OrNull, such as toFloat64OrNull',
  125: 'this does not stand where one value is expected',
  131: 'a text would become too long',
  153: 'a division by zero: guard it, as in if(b = 0, 0, a / b)',
  158: 'there are too many groups: group by fewer fields, or by fields with fewer values',
  159: 'the query took too long: shorten the time range, or filter more',
  160: 'the query would take too long: shorten the time range, or filter more',
  179: 'a name is given twice',
  184: 'an aggregate stands within another, or where a value of one row is expected',
  190: 'arrays that belong together have different lengths',
  215: 'a column stands outside of an aggregate: put it into one, as in max(…) or any(…), or group by it',
  241: 'the query needs more memory than there is: shorten the time range, group by less, or filter more',
  349: 'a value that may be null cannot be converted: use coalesce(…)',
  386: 'these values have no type in common: convert them, as in toString(…)',
}

/** What the reason is about: a name or value in quotes that the engine repeats from the text that people wrote. */
function subjectIn(message: string, text: string): string | undefined {
  const quoted = [...message.matchAll(/`([^`]+)`|'([^']+)'|\bfunction (\w+)/gi)].map(([, ...found]) =>
    found.find(Boolean),
  )
  return quoted.find((part) => part !== undefined && text.includes(part))
}

/** @param text what people wrote, when it is known */
export function engineReason({ code, type, message }: EngineError, text = ''): string {
  const reason = reasons[code] ?? `the engine cannot do this (${type.toLowerCase().replaceAll('_', ' ')})`
  const subject = subjectIn(message, text)
  const suggestion = /did you mean '(\w[\w.]*)'/.exec(message)?.[1]
  return `${subject ? `"${subject}": ` : ''}${reason}${suggestion ? `; did you mean ${suggestion}?` : ''}`
}
