/** Templates that are made to take all time or memory, within the lengths that messages and bodies may have. */

const inside = (open: string, depth: number, text: string, close: string) =>
  open.repeat(depth) + text + close.repeat(depth)

export const templateBombs: readonly { name: string; template: string }[] = [
  { name: 'a long text in nested loops', template: inside('{{#each @root}}', 5, 'x'.repeat(3000), '{{/each}}') },
  { name: 'loops without end', template: inside('{{#each @root}}', 60, 'x', '{{/each}}') },
  { name: 'loops without output', template: inside('{{#each @root}}', 60, '', '{{/each}}') },
  { name: 'loops over one alert', template: inside('{{#each @root.alert}}', 40, '{{@root.body}}', '{{/each}}') },
  {
    name: 'values in nested loops',
    template: inside('{{#each @root}}', 4, '{{@root.alert}}'.repeat(40), '{{/each}}'),
  },
  { name: 'a mention in nested loops', template: inside('{{#each @root}}', 5, ' @webhook-{{@key}} ', '{{/each}}') },
  { name: 'the long text as often as it fits', template: '{{body}}{{message}}'.repeat(200) },
  { name: 'deep blocks', template: inside('{{#if value}}', 180, 'x', '{{/if}}') },
  { name: 'deep helpers', template: `{{${'(eq '.repeat(500)}1${')'.repeat(500)}}}` },
  { name: 'partial blocks', template: inside('{{#> a}}{{> @partial-block}}', 60, 'x', '{{/a}}') },
  { name: 'no end', template: '{{#each @root}}'.repeat(200) },
]
