// How wide a label will be, near enough to place it: measuring every text would cost more than drawing it.

const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const [LATIN, IDEOGRAPH] = [6.5, 12.2];

export function widthOf(text) {
  let width = 0;
  for (const sign of text) width += WIDE.test(sign) ? IDEOGRAPH : LATIN;
  return width;
}

// As much of a text as a room has place for; empty where that would say nothing.
export function fitted(text, room) {
  if (widthOf(text) <= room) return text;
  let [kept, left] = ["", room - LATIN * 1.6];
  for (const sign of text) {
    left -= WIDE.test(sign) ? IDEOGRAPH : LATIN;
    if (left < 0) break;
    kept += sign;
  }
  return kept.length > 2 ? `${kept.trimEnd()}…` : "";
}
