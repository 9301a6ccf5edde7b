// From one event to the next by the keyboard.

// The event that an arrow key leads to; null where the key leads nowhere.
export function neighbour(layout, chosen, key) {
  const { across, lanes } = layout;
  if (!across.length) return null;
  const here = layout.places.get(chosen);
  if (key === "Home") return across[0].event.id;
  if (key === "End" || !here) return across.at(-1).event.id;
  const at = across.indexOf(here);
  if (key === "ArrowLeft") return across[Math.max(0, at - 1)].event.id;
  if (key === "ArrowRight") return across[Math.min(across.length - 1, at + 1)].event.id;
  const there = lanes[here.lane + (key === "ArrowUp" ? -1 : 1)];
  return there ? nearest(there.places, here.x).event.id : null;
}

function nearest(places, x) {
  return places.reduce((best, place) => (Math.abs(place.x - x) < Math.abs(best.x - x) ? place : best));
}
