/**
 * The colors of charts, for light and dark mode. The first ten are hues spread around the OKLCH circle; the others have
 * a meaning, such as severities and HTTP classes. Within each set, colors can be distinguished without red or green
 * vision, by lightness as much as by hue, and all have enough contrast to their background (3:1).
 */
import type { CSSObject, Theme } from '@mui/material/styles'

const hues = {
  light: ['#8c3d3e', '#87440d', '#9f9621', '#829b58', '#4da081', '#389aa4', '#3f9bd5', '#5466d0', '#7d2b87', '#793a5d'],
  dark: ['#bc6d56', '#bb6b14', '#e2c23d', '#b0e082', '#96eac0', '#85e9ed', '#6bcbfd', '#7180e2', '#8e78ae', '#ad6b7c'],
}

/** Colors with a meaning. */
const semanticColors = ['critical', 'error', 'warning', 'info', 'success', 'neutral'] as const
export type SemanticColor = (typeof semanticColors)[number]

const semanticHexes = {
  light: {
    critical: '#8a1123',
    error: '#cc3329',
    warning: '#cd8301',
    info: '#3175bc',
    success: '#349a54',
    neutral: '#706f78',
  },
  dark: {
    critical: '#d73a62',
    error: '#ee6353',
    warning: '#ec9f39',
    info: '#4a9de8',
    success: '#5bdb93',
    neutral: '#a6aaad',
  },
} satisfies Record<string, Record<SemanticColor, string>>

export const hueCount = hues.light.length

/** The hues, then the colours with a meaning. */
export const chartColors = { light: colorsOf('light'), dark: colorsOf('dark') }

function colorsOf(scheme: keyof typeof hues): readonly string[] {
  return [...hues[scheme], ...semanticColors.map((color) => semanticHexes[scheme][color])]
}

/** Index of a colour with a meaning among all colours. */
export const semanticIndex = (color: SemanticColor): number => hueCount + semanticColors.indexOf(color)

/** The palette as CSS variables of an element and its children: another theme needs no rendering. */
export function chartVariables(theme: Theme): CSSObject {
  return { ...variables('light'), ...theme.applyStyles('dark', variables('dark')) }
}

function variables(scheme: keyof typeof chartColors): Record<string, string> {
  return Object.fromEntries(chartColors[scheme].map((color, index) => [colorVariable(index), color]))
}

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

export function styleOf(color: number, dash: readonly number[] = []): SeriesStyle {
  return { color, variable: colorVariable(color), dash }
}

/** For a series that has no style yet: the hue nearest to the accent. */
export const defaultStyle: SeriesStyle = styleOf(7)
