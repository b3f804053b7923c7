import { afterEach, expect, test } from 'vitest'
import { focusFirstField } from './focusFirstField.ts'

afterEach(() => document.body.replaceChildren())

test.each([
  ['a text field, not the button before it', '<button>Close</button><input id="first"><input>'],
  ['a text of several lines', '<textarea id="first"></textarea><textarea readonly></textarea>'],
  ['a select of MUI', '<div role="combobox" tabindex="0" id="first"></div><input aria-hidden="true">'],
  ['what can be filled in', '<input disabled><input readonly><input type="hidden"><input id="first">'],
  ['the chosen radio button', '<input type="radio" name="a"><input type="radio" name="a" checked id="first">'],
  [
    'the first radio button, if none is chosen',
    '<input type="radio" name="a" id="first"><input type="radio" name="a">',
  ],
])('a dialog starts in its first field: %s', (_, content) => {
  open(content)
  expect(document.activeElement?.id).toBe('first')
})

test('without a field, the focus stays where it is', () => {
  open('<button>Close</button>')
  expect(document.activeElement).toBe(document.body)
})

function open(content: string): void {
  const dialog = document.body.appendChild(document.createElement('form'))
  dialog.innerHTML = content
  focusFirstField(dialog)
}
