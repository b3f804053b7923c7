/** Texts of deployments as a person should see them: invisible characters can make two names look the same. */

/** Scripts in which a joiner or non-joiner between letters decides how they are written. */
const joiningScripts =
  'Arab Syrc Nkoo Mong Mand Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'.replaceAll(
    / ?(\w+)/g,
    String.raw`\p{scx=$1}`,
  )

/** Invisible characters that emoji and the letters of those scripts need. They stay as they are. */
const written = [
  String.raw`\u200d(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]{0,2}\u200d)(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${joiningScripts}])[\u200c\u200d](?=[${joiningScripts}])`,
  // Variants of a letter. Only letters: the selectors belong to the script, too, and one after another would be hidden.
  String.raw`(?<=(?=\p{Letter})\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
  // The flags of England, Scotland and Wales. Any other text in tags is not drawn.
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  // Selectors of a shape, after what has several: emoji, digits of keycaps and Han characters.
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
].join('|')

/** Invisible characters, and spaces other than the plain one. `DI` (default ignorable) are characters that are drawn as nothing. */
const invisible = String.raw`[\p{Cc}\p{DI}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]|(?! )\p{Zs}`

const hidden = new RegExp(`${written}|(${invisible})`, 'gu')

/**
 * Writes the invisible characters of a text as escapes, such as `\\u{202e}`. Emoji and joined letters stay as they are.
 * @param kept characters that stay as well
 */
export function visibleText(text: string, kept = ''): string {
  return text.replaceAll(hidden, (found, character?: string) =>
    character === undefined || kept.includes(character) ? found : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/**
 * `visibleText` for sentences, in which line breaks, tabs, and the spaces of times and numbers stay.
 */
export const visibleSentence = (text: string) => visibleText(text, '\n\r\t\u00a0\u202f\u2009')
