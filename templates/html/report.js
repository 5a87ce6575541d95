"use strict";
// What the page does when it may run a script. Everything it writes is text, never markup, and
// the page reads the same without it: numbers then link to their evidence at the end, tables
// keep the order of the report, and figures are the drawings of the paper.
(() => {
{% include "page.js" %}

{% include "numbers.js" %}

{% include "tables.js" %}

{% include "finding.js" %}

{% include "scales.js" %}

{% include "curves.js" %}

{% include "views.js" %}

{% include "charts.js" %}

  startNumbers();
  startTables();
  startFinding();
  startCharts();
  startContents();
  followLink();
})();
