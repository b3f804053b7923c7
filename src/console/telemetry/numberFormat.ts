/** The number format of a tile (reference 4.4) as a unit and a factor. */
import { numberOf } from './groupValues.ts'

export interface NumberDisplay {
  /** A unit of the chart kit, or a word put behind the number. */
  unit: string
  /** What values are multiplied by before they are shown. */
  factor: number
}

const plain: NumberDisplay = { unit: 'number', factor: 1 }

/** Reads a `numberFormat`; anything that is not one is a plain number. */
export function numberDisplay(format: unknown): NumberDisplay {
  if (format === null || typeof format !== 'object') return plain
  const { output, unit, numericUnit, currencySymbol, factor: given } = format as Record<string, unknown> // fields are checked where used
  const word = text(unit) ?? text(numericUnit)
  switch (output) {
    case 'percent':
      return { unit: 'percent', factor: 100 }
    case 'byte':
      return { unit: 'bytes', factor: 1 }
    case 'time':
    case 'duration':
      return { unit: 's', factor: numberOf(given) ?? 1 }
    case 'currency':
      return { unit: text(currencySymbol) ?? '$', factor: 1 }
    case 'data_rate':
      return { unit: word ?? 'B/s', factor: 1 }
    case 'throughput':
      return { unit: word ?? '/s', factor: 1 }
    default:
      return word ? { unit: word, factor: 1 } : plain
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
