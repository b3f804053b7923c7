/** The colors of charts, for light and dark mode: those of `tokens.css`. */
import { dark, light, type Tokens } from '../theme/tokens.ts'

/** How many hues there are, before the colors with a meaning. */
export const hueCount = 10

/** Colors with a meaning, in their order after the hues. */
const semanticColors = ['critical', 'error', 'warning', 'info', 'success', 'neutral'] as const
export type SemanticColor = (typeof semanticColors)[number]

/** The hues, then the colours with a meaning. */
export const chartColors = { light: colorsOf(light), dark: colorsOf(dark) }

function colorsOf(token: Tokens): readonly string[] {
  return Array.from({ length: hueCount + semanticColors.length }, (_, index) => token(`chart-${index + 1}`))
}

/** Index of a colour with a meaning among all colours. */
export const semanticIndex = (color: SemanticColor): number => hueCount + semanticColors.indexOf(color)

/** CSS variable of a colour by its index. */
export const colorVariable = (index: number): string => `--chart-${index + 1}`

export const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3]] as const

/** How a series is drawn. */
export interface SeriesStyle {
  /** Index of the colour. */
  color: number
  /** CSS variable of the colour. */
  variable: string
  /** Lengths of dash and gap in pixels; none for a solid line. */
  dash: readonly number[]
}

/** The color of a series on a page, in its theme. */
export const themeColor = ({ variable }: Pick<SeriesStyle, 'variable'>): string => `var(${variable})`

export function styleOf(color: number, dash: readonly number[] = []): SeriesStyle {
  return { color, variable: colorVariable(color), dash }
}

/** For a series that has no style yet: the first hue, which is near the accent. */
export const defaultStyle: SeriesStyle = styleOf(0)
