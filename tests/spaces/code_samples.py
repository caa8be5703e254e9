"""Pieces of code for the tests of E7, written for them: one small function in every language, and hostile texts."""

from __future__ import annotations

from typing import Final

SAMPLES: Final[dict[str, str]] = {
    "python": '''
def moving_average(values, window):
    """Average of the last values of a series."""
    sums = []
    for index in range(window, len(values) + 1):
        sums.append(sum(values[index - window : index]) / window)
    return sums
''',
    "javascript": """
function movingAverage(values, window) {
  const sums = [];
  for (let index = window; index <= values.length; index++) {
    sums.push(addAll(values.slice(index - window, index)) / window);
  }
  return sums;
}
""",
    "typescript": """
interface Series { name: string; values: number[] }

export function movingAverage(series: Series, window: number): number[] {
  const sums: number[] = [];
  for (let index = window; index <= series.values.length; index++) {
    sums.push(addAll(series.values.slice(index - window, index)) / window);
  }
  return sums;
}
""",
    "go": """
package series

func MovingAverage(values []float64, window int) []float64 {
	sums := []float64{}
	for index := window; index <= len(values); index++ {
		sums = append(sums, addAll(values[index-window:index])/float64(window))
	}
	return sums
}
""",
    "rust": """
pub fn moving_average(values: &[f64], window: usize) -> Vec<f64> {
    let mut sums = Vec::new();
    for index in window..=values.len() {
        sums.push(values[index - window..index].iter().sum::<f64>() / window as f64);
    }
    sums
}
""",
    "java": """
public class Series {
    public static double[] movingAverage(double[] values, int window) {
        double[] sums = new double[values.length];
        for (int index = window; index <= values.length; index++) {
            sums[index - window] = addAll(values, index - window, index) / window;
        }
        return sums;
    }
}
""",
    "c": """
#include <stdlib.h>

void moving_average(const double *values, size_t count, size_t window, double *sums) {
    for (size_t index = window; index <= count; index++) {
        sums[index - window] = add_all(values + index - window, window) / window;
    }
}
""",
    "cpp": """
#include <vector>

std::vector<double> movingAverage(const std::vector<double>& values, std::size_t window) {
    std::vector<double> sums;
    for (std::size_t index = window; index <= values.size(); ++index) {
        sums.push_back(std::accumulate(values.begin(), values.end(), 0.0) / window);
    }
    return sums;
}
""",
    "bash": """
#!/bin/bash
set -e
for file in "$1"/*.log; do
  if [ -s "$file" ]; then
    gzip -9 "$file" && echo "packed $file"
  fi
done
""",
    "sql": """
SELECT station, AVG(level) AS mean_level
FROM readings
WHERE taken_at > '2024-01-01'
GROUP BY station
ORDER BY mean_level DESC;
""",
}
"""Language -> a text that is code as a whole."""

CLONE: Final = '''
def rolling_mean(numbers, size):
    """Mean over a sliding frame."""
    results = []
    for place in range(size, len(numbers) + 1):
        results.append(sum(numbers[place - size : place]) / size)
    return results
'''
"""The Python sample with every name changed."""
OTHER: Final = '''
class Mailbox:
    """Letters that wait for a reader."""

    def __init__(self, owner):
        self.owner = owner
        self.letters = {}

    def deliver(self, letter):
        try:
            self.letters[letter.number] = letter
        except AttributeError as fault:
            raise ValueError("no letter") from fault
        if letter.urgent and not self.owner.away:
            self.owner.call(letter.sender, letter.subject)
'''
"""A piece of another shape."""

DIFF: Final = """Please look at this change:

diff --git a/shop/basket.py b/shop/basket.py
index 83db48f..bf269f4 100644
--- a/shop/basket.py
+++ b/shop/basket.py
@@ -10,6 +10,7 @@ class Basket:
     def total(self):
-        return sum(price for price in self.prices)
+        discount = self.customer.discount()
+        return sum(self.prices) * (1 - discount)

--- a/shop/ship.go
+++ b/shop/ship.go
@@ -1,3 +1,3 @@
 func Ship(parcel Parcel) error {
-	return send(parcel)
+	return sendExpress(parcel)
 }
"""

TRACES: Final[dict[str, str]] = {
    "python": """It broke again:
Traceback (most recent call last):
  File "/srv/shop/basket.py", line 12, in total
    discount = self.customer.discount()
  File "/srv/shop/customer.py", line 40, in discount
    return RATES[self.level]
KeyError: 'platinum'
""",
    "java": """Exception in thread "main" java.lang.IllegalStateException: basket is closed
    at com.shop.Basket.addItem(Basket.java:31)
    at com.shop.Checkout.run(Checkout.java:12)
""",
    "javascript": """TypeError: Cannot read properties of undefined (reading 'price')
    at basketTotal (/srv/shop/basket.js:14:22)
    at async checkout (/srv/shop/checkout.js:7:5)
""",
    "go": """panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.pickParcel(0xc000012345, 0x3)
	/srv/shop/ship.go:21 +0x1d
""",
    "rust": """thread 'main' panicked at src/parcel.rs:9:14:
index out of bounds: the len is 3 but the index is 3
stack backtrace:
   0: rust_begin_unwind
   1: shop::parcel::weigh_parcel
             at ./src/parcel.rs:9
""",
}
"""Language -> a text with a traceback."""

TALK: Final[tuple[str, ...]] = (
    "Nora: I bought a wooden kayak from my uncle last weekend, it was only 80 euros!",
    "We could select a book from the shelf; if it rains, for sure. Import taxes are awful (20%).",
    "Class is over at 4:30. Let me know while you are there - return whenever you like :)",
    "My iPhone and the eBay account, McDonald's, YouTube; see https://site.example/my_page_one?x_y=1",
    "Dear all,\n\nplease find attached the minutes.\n\n- one\n- two\n\nRegards,\nPiet <piet_v@mail.example>",
    "1. wash the rice\n2. add water (2 cups)\n3. cook for 12 min; rest.\n\nServes: 4",
    "\u4eca\u5929\u5929\u6c14\u5f88\u597d\uff0c\u6211\u4eec\u53bb\u516c\u56ed\u5427\u3002",
    "\U0001f600\U0001f389\U0001f680",
    "x",
    "The python at the zoo was three metres long; Java is an island and rust eats my car.",
)
"""What people say without any code."""

HOSTILE: Final[dict[str, str]] = {
    "deep": "def f():\n    return " + "(" * 60_000 + "1" + ")" * 60_000,
    "deeper lists": "x = " + "[" * 200_000,
    "one word": "a" * 1_000_000,
    "one name": "a_" * 500_000,
    "nulls": "def f():\n\0\0\0\0 return 1\0" * 1_000,
    "bytes": "".join(map(chr, range(256))) * 2_000,
    "surrogates": "def f(): return '\udcff\ud800'\n",
    "fences": "```\n" * 50_000,
    "ticks": "`" * 200_000,
    "tildes": "~~~" * 60_000,
    "blank lines": "\n" * 500_000 + "def f(): pass",
    "spaces": " " * 500_000 + "x = 1",
    "at signs": "@" * 300_000,
    "hunks": "@@ -1 +1 @@\n" * 30_000,
    "calls": "f(" * 200_000,
    "frames": '  File "x", line 1, in ' * 30_000,
    "parens": "(" * 300_000 + "\n\t/x.go:1",
    "slashes": "/" * 300_000,
    "equals": "a=" * 200_000,
    "select": "select " * 50_000 + "from",
    "templates": "template <" * 50_000,
    "quotes": "\"'" * 200_000,
}
"""Texts that are made to break parsers and rules."""
