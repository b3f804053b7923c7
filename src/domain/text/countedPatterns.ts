/** Patterns of messages with how many they have of each severity. */
import { messagePatterns, type MessagePattern } from './messagePatterns.ts'

/** Patterns that are shown; most messages are in few of them. */
const maxPatterns = 100

export interface CountedPattern {
  pattern: string
  /** Its messages. */
  count: number
  /** How many of them have which severity, the commonest first. */
  levels: { level: string; count: number }[]
}

/** The commonest patterns of messages, each with the places of its messages in the list. */
export function countedPatterns(
  messages: readonly { text: string; level: string }[],
): (CountedPattern & Pick<MessagePattern, 'places'>)[] {
  return messagePatterns(messages.map(({ text }) => text))
    .slice(0, maxPatterns)
    .map(({ pattern, places }) => ({
      pattern,
      count: places.length,
      levels: levelsOf(places.map((place) => messages[place]?.level ?? '')),
      places,
    }))
}

function levelsOf(levels: readonly string[]): CountedPattern['levels'] {
  const counts = new Map<string, number>()
  for (const level of levels) counts.set(level, (counts.get(level) ?? 0) + 1)
  return [...counts].map(([level, count]) => ({ level, count })).toSorted((a, b) => b.count - a.count)
}
