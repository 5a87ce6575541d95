  // --- axes --------------------------------------------------------------------------------

  // Round numbers between two ends, at most so many.
  function ticksBetween(low, high, most) {
    const power = 10 ** Math.floor(Math.log10((high - low) / Math.max(most - 1, 1)));
    for (const factor of [1, 2, 5, 10, 20, 50, 100]) {
      const gap = factor * power;
      const first = Math.ceil(low / gap - 1e-9);
      const last = Math.floor(high / gap + 1e-9);
      if (last >= first && last - first + 1 <= most) {
        return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * gap).toPrecision(12)));
      }
    }
    return [low, high];
  }

  function spellTicks(ticks) {
    const largest = Math.max(...ticks.map(Math.abs));
    if (largest && (largest >= 1e7 || largest < 1e-4)) return ticks.map((tick) => spellValue(tick.toPrecision(3)));
    const decimals = Math.max(...ticks.map((tick) => (String(tick).split(".")[1] ?? "").length));
    const spelled = new Intl.NumberFormat(document.documentElement.lang || "en", {
      minimumFractionDigits: decimals, maximumFractionDigits: decimals,
    });
    return ticks.map((tick) => minus(spelled.format(tick)));
  }

  // The ends of an axis with a margin; nothing is below zero or above a hundred percent.
  function limitsOf(values, pad, percent) {
    let low = Math.min(...values);
    let high = Math.max(...values);
    if (!Number.isFinite(low)) return [0, 1];
    const least = low;
    const most = high;
    let margin = (high - low) * pad;
    if (margin <= Math.max(Math.abs(low), Math.abs(high)) * 1e-9) margin = Math.abs(high) * 0.1 || 1;
    low -= margin;
    high += margin;
    if (least >= 0) low = Math.max(low, 0);
    if (percent && least >= 0 && most <= 100) high = Math.min(high, 100);
    return [low, high];
  }

  // Powers of ten between two ends, evenly spread, at most so many.
  function powersBetween(low, high, most) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const count = Math.floor(Math.log10(high) + 1e-9) - first + 1;
    const gap = Math.max(Math.ceil(count / most), 1);
    const powers = [];
    for (let k = 0; k < count; k += gap) powers.push(Number(`1e${first + k}`));
    return powers.length ? powers : [low, high];
  }

  // The ends of a logarithmic axis; values of zero and below have no place on it.
  function decadesOf(values, pad) {
    const above = values.filter((value) => value > 0).map(Math.log10);
    if (!above.length) return [1, 10];
    const low = Math.min(...above);
    const high = Math.max(...above);
    const margin = (high - low) * pad || 0.5;
    return [10 ** (low - margin), 10 ** (high + margin)];
  }

  // Without the run that went astray, or before it did, a straight axis shows more.
  function isFarSpread(values) {
    return Math.max(...values) > 50 * Math.min(...values);
  }

  function logScale(low, high, start, end) {
    return (value) => start + (Math.log(Math.max(value, low) / low) / Math.log(high / low)) * (end - start);
  }

  function scale(low, high, start, end) {
    const place = (value) => start + ((value - low) / (high - low)) * (end - start);
    place.invert = (at) => low + ((at - start) / (end - start)) * (high - low);
    return place;
  }

  // The position of the number nearest to a value, in a list that grows.
  function nearest(list, value) {
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value - list[low - 1] <= list[low] - value ? low - 1 : low;
  }
